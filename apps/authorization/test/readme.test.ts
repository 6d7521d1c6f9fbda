import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/service-kit';
import { settingsReference } from '@vestibule/service-kit/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { AUTHORIZATION_ERRORS, AuthorizationServiceSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(AuthorizationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(AUTHORIZATION_ERRORS, OCCASIONS)));
});

/** What raises each error here. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, JSON, an unknown member; a request that contradicts itself or names no client',
  missing_token: 'no bearer token where the master token is needed',
  invalid_token: 'a token that is not the master token',
  not_found: 'another address; a session that does not exist',
  method_not_allowed: 'a method that the address does not know',
  server_error: 'a fault of ours or of the store',
};
