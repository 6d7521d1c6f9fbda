import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http/errors';
import { settingsReference } from '@vestibule/service/settings';
import { metricsReference } from '@vestibule/service/testing';
import { readmeTable, tableRows } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { build } from '../src/build.js';
import {
  DELIVERY_ERRORS,
  LogoutSettings,
  loadLogoutConfig,
  logoutErrors,
  pageSetting,
} from '../src/index.js';
import { ISSUER } from './support/test-service.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableRows(settingsReference(LogoutSettings)));
  const errors = logoutErrors(pageSetting({ issuer: ISSUER }));
  expect(readmeTable(text, 'errors')).toEqual(tableRows(errorsReference(errors, OCCASIONS)));
  expect(readmeTable(text, 'delivery-errors')).toEqual(
    tableRows(errorsReference(DELIVERY_ERRORS, DELIVERY_OCCASIONS)),
  );
});

it('documents every metric that a scrape returns', async () => {
  const metrics = await metricsReference({ name: 'logout', load: loadLogoutConfig, build });
  expect(readmeTable(await readFile(README, 'utf8'), 'metrics')).toEqual(tableRows(metrics));
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
