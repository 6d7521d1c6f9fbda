import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { FEDERATION_ERRORS, FederationServiceSettings, loadFederationConfig } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(FederationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(FEDERATION_ERRORS, OCCASIONS)));
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({ name: 'federation', load: loadFederationConfig, build });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

/** When each error occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: 'errors that can be found without a key: media type, header, claims, audience',
  invalid_redirect_uri: 'redirect URI of a trusted entity refused',
  invalid_client_metadata: 'other metadata of a trusted entity refused',
  invalid_software_statement: 'software statement not verifiable',
  unapproved_software_statement: 'software statement present; none is trusted here',
  missing_token: 'no bearer token where the master token is required',
  invalid_token: 'the bearer token is not a master token',
  not_found: 'unknown path; statements of the provider if federation is not enabled',
  method_not_allowed: 'method not supported',
  federation_not_enabled: 'federation is not enabled',
  unauthorized_client: 'signature, times, trust chain, constraints, trust marks or policies not valid',
  too_many_requests: 'too many registrations, or no capacity to resolve a trust chain',
  server_error: 'internal error, or the store is unavailable',
};
