import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/service-kit';
import { settingsReference } from '@vestibule/service-kit/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { DELIVERY_ERRORS, LogoutSettings, logoutErrors, pageSetting } from '../src/index.js';
import { ISSUER } from './support/test-service.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(LogoutSettings)));
  const errors = logoutErrors(pageSetting({ issuer: ISSUER }));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(errors, OCCASIONS)));
  expect(readmeTable(text, 'delivery-errors')).toEqual(
    tableCells(errorsReference(DELIVERY_ERRORS, DELIVERY_OCCASIONS)),
  );
});

/** What raises each status in operators' calls. */
const DELIVERY_OCCASIONS: ErrorOccasions = {
  invalid_request: 'unknown, malformed or repeated parameter of the list',
  missing_token: 'no token',
  invalid_token: 'another token than the master token',
  not_found: 'there is no such notification',
  method_not_allowed: 'another method',
  server_error: 'a fault of ours or of a store',
};

/** What raises each status here. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, repeated parameter, `state` too long, another decision than the two',
  not_found: 'another address',
  method_not_allowed: 'another method than GET and POST',
  server_error: 'a fault of ours or of a store',
};
