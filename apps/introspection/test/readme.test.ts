import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/service-kit';
import { settingsReference } from '@vestibule/service-kit/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { INTROSPECTION_ERRORS, IntrospectionSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(IntrospectionSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(INTROSPECTION_ERRORS, OCCASIONS)));
});

/** What raises each status here. */
const OCCASIONS: ErrorOccasions = {
  invalid_request: 'malformed request: media type, missing or repeated parameter, several credentials',
  invalid_client:
    'missing or failed client authentication, or an access token that is not live or not for us',
  access_denied: 'the client lacks the grant or the scope, or the access token lacks the scope',
  not_found: 'another address',
  method_not_allowed: 'another method than POST',
  too_many_requests: 'throttled',
  server_error: 'a fault of ours or of a store',
};
