import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/service-kit';
import { settingsReference } from '@vestibule/service-kit/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { REGISTRATION_ERRORS, RegistrationServiceSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(RegistrationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(REGISTRATION_ERRORS, OCCASIONS)));
});

/** What raises each error here. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, JSON, size, depth, an unknown or malformed parameter, issued members that are not the present ones, a used Idempotency-Key with another body',
  invalid_redirect_uri: 'a redirect URI that is not acceptable, or breaks the policy',
  invalid_client_metadata: 'other metadata that is not acceptable, or breaks the policy',
  invalid_software_statement: 'a software statement that cannot be verified',
  unapproved_software_statement: 'a software statement of an issuer that is not trusted here',
  missing_token: 'no bearer token where one is needed',
  invalid_token:
    'a token that is unknown, expired, used up or of another kind; an unknown client with a registration access token',
  insufficient_scope: 'a token that does not permit so much',
  not_found: 'another address; an unknown client with the master token',
  precondition_failed:
    'an If-Match that does not name the tag of the client as it is; an If-None-Match that does, except of a read',
  too_many_requests:
    'too many registrations without a token or with one token, too many open registrations that nobody uses, too many updates of one client or sector documents to read for it, or no room to look outside',
  method_not_allowed: 'a method that the address does not know',
  server_error: 'a fault of ours or of the store',
};
