import { readFile } from 'node:fs/promises';
import { type ErrorOccasions, errorsReference } from '@vestibule/http';
import { settingsReference } from '@vestibule/service/settings';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { INTROSPECTION_ERRORS, IntrospectionSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error of the service', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(IntrospectionSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorsReference(INTROSPECTION_ERRORS, OCCASIONS)));
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
