import { readFile } from 'node:fs/promises';
import { DomainError, ERROR_CODES, type ErrorCode } from '@vestibule/protocol';
import { settingsReference } from '@vestibule/service-kit';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { INTROSPECTION_ERRORS, IntrospectionSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(IntrospectionSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorReference()));
});

/** What raises each status here. */
const OCCASIONS: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'malformed request: media type, missing or repeated parameter, several credentials',
  invalid_client:
    'missing or failed client authentication, or an access token that is not live or not for us',
  access_denied: 'the client lacks the grant or the scope, or the access token lacks the scope',
  not_found: 'another address',
  method_not_allowed: 'another method than POST',
  too_many_requests: 'throttled',
  server_error: 'a fault of ours or of a store',
};

function errorReference(): string {
  const rows = ERROR_CODES.flatMap((code) => {
    const occasion = OCCASIONS[code];
    return occasion === undefined ? [] : [errorRow(code, occasion)];
  });
  return ['| status | body | headers | when |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function errorRow(code: ErrorCode, occasion: string): string {
  const { status, body, headers = {} } = INTROSPECTION_ERRORS[code](new DomainError(code, 'A sentence'));
  const error = body === undefined ? 'empty' : `JSON, \`error\` = \`${JSON.parse(body).error}\``;
  const { 'content-type': _, ...special } = headers;
  const names = Object.keys(special).map((name) => `\`${name}\``);
  const shown = code === 'method_not_allowed' ? ['`allow`'] : names;
  return `| ${status} | ${error} | ${shown.join(', ')} | ${occasion} |`;
}
