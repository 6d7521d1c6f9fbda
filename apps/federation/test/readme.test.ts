import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/service-kit';
import { settingsReference } from '@vestibule/service-kit/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { FEDERATION_ERRORS, FederationServiceSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(FederationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(FEDERATION_ERRORS, OCCASIONS)));
});

/** What raises each status here. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: 'what can be seen to be wrong without a key: media type, header, claims, audience',
  invalid_redirect_uri: 'a redirect URI of a trusted entity that is not acceptable',
  invalid_client_metadata: 'other metadata of a trusted entity that is not acceptable',
  invalid_software_statement: 'a software statement that cannot be verified',
  unapproved_software_statement: 'a software statement: none is trusted here',
  missing_token: 'no master token where one is needed',
  invalid_token: 'another token than the master token',
  not_found: 'another address; our own statements where federation is not enabled',
  method_not_allowed: 'a method that the address does not know',
  federation_not_enabled: 'federation is not enabled',
  unauthorized_client: 'signature, times, chain, constraints, trust marks or policies do not hold',
  too_many_requests: 'too many registrations are tried, or there is no capacity to look for a chain',
  server_error: 'a fault of ours or of the store',
};
