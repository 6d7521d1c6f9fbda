import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { INTROSPECTION_ERRORS, IntrospectionSettings, loadIntrospectionConfig } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error of the service', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(IntrospectionSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(INTROSPECTION_ERRORS, OCCASIONS)));
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({ name: 'introspection', load: loadIntrospectionConfig, build });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

/** The causes of each error at this endpoint. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: 'malformed request: media type, missing or repeated parameter, several credentials',
  invalid_client:
    'client authentication missing or failed, or an access token that is inactive or has another audience',
  access_denied: 'the client lacks the grant or the scope, or the access token lacks the scope',
  not_found: 'unknown path',
  method_not_allowed: 'method other than POST',
  too_many_requests: 'rate limit exceeded',
  server_error: 'internal error, or a store that cannot be reached',
};
