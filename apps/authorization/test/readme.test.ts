import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { AUTHORIZATION_ERRORS, AuthorizationServiceSettings, loadAuthorizationConfig } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(AuthorizationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(AUTHORIZATION_ERRORS, OCCASIONS)));
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({ name: 'authorization', load: loadAuthorizationConfig, build });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

/** When each error occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, JSON, unknown member; contradictory members, or an unknown client',
  missing_token: 'no bearer token where the master token is required',
  invalid_token: 'the bearer token is not a master token',
  not_found: 'unknown path or session',
  method_not_allowed: 'method not supported',
  too_many_requests: 'too many open streams of changes',
  server_error: 'internal error, or the store is unavailable',
};
