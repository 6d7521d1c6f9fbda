import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import { loadRegistrationConfig, REGISTRATION_ERRORS, RegistrationServiceSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(RegistrationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(REGISTRATION_ERRORS, OCCASIONS)));
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({ name: 'registration', load: loadRegistrationConfig, build });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
});

/** When each error occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, JSON, size or depth of the body; an unknown or malformed parameter; an issued member with another than its current value; an Idempotency-Key that was used with another body',
  invalid_redirect_uri: 'a redirect URI that a rule or the policy forbids',
  invalid_client_metadata: 'other metadata that a rule or the policy forbids',
  invalid_software_statement: 'a software statement that cannot be verified',
  unapproved_software_statement: 'a software statement of an issuer that is not trusted',
  missing_token: 'a required bearer token is missing',
  invalid_token:
    'the token is unknown, expired, used up or of the wrong kind; the client is unknown (with a registration access token)',
  insufficient_scope: 'the token does not permit the request',
  not_found: 'unknown path; unknown client (with the master token)',
  precondition_failed: 'If-Match does not name the current ETag; If-None-Match does (except for a read)',
  too_many_requests:
    'too many registrations without a token or with one token, too many unused open registrations, too many updates of one client or fetches of its sector document, no capacity for an outbound request, or too many imported hashes being verified',
  method_not_allowed: 'the path does not support this method',
  server_error: 'an internal error, or the store is not available',
};
