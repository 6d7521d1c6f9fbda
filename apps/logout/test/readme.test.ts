import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http';
import { settingsReference } from '@vestibule/service/settings';
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

/** When each error of the delivery routes occurs. */
const DELIVERY_OCCASIONS: ErrorOccasions = {
  invalid_request: 'unknown, malformed or repeated query parameter',
  missing_token: 'no bearer token',
  invalid_token: 'the bearer token is not a master token',
  not_found: 'unknown notification',
  method_not_allowed: 'method not supported',
  server_error: 'internal error, or a store is unavailable',
};

/** When each error of the logout page occurs. */
const OCCASIONS: ErrorOccasions = {
  invalid_request:
    'malformed request: media type, repeated parameter, `state` too long, `decision` neither `accept` nor `decline`',
  not_found: 'unknown path',
  method_not_allowed: 'method other than GET and POST',
  server_error: 'internal error, or a store is unavailable',
};
