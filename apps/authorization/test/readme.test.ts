import { readFile } from 'node:fs/promises';
import { DomainError, ERROR_CODES, type ErrorCode } from '@vestibule/protocol';
import { settingsReference } from '@vestibule/service-kit';
import { readmeTable, tableCells } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { AUTHORIZATION_ERRORS, AuthorizationServiceSettings } from '../src/index.js';

const README = new URL('../README.md', import.meta.url);

it('documents every setting and every error as they are', async () => {
  const text = await readFile(README, 'utf8');
  expect(readmeTable(text, 'settings')).toEqual(tableCells(settingsReference(AuthorizationServiceSettings)));
  expect(readmeTable(text, 'errors')).toEqual(tableCells(errorReference()));
});

/** What raises each error here. */
const OCCASIONS: Partial<Record<ErrorCode, string>> = {
  invalid_request:
    'malformed request: media type, JSON, an unknown member; a request that contradicts itself or names no client',
  missing_token: 'no bearer token where the master token is needed',
  invalid_token: 'a token that is not the master token',
  not_found: 'another address; a session that does not exist',
  method_not_allowed: 'a method that the address does not know',
  server_error: 'a fault of ours or of the store',
};

function errorReference(): string {
  const rows = ERROR_CODES.flatMap((code) => {
    const occasion = OCCASIONS[code];
    return occasion === undefined ? [] : [errorRow(code, occasion)];
  });
  return ['| status | body | headers | when |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function errorRow(code: ErrorCode, occasion: string): string {
  const { status, body, headers = {} } = AUTHORIZATION_ERRORS[code](new DomainError(code, '…'));
  const error = body === undefined ? 'empty' : `JSON, \`error\` = \`${JSON.parse(body).error}\``;
  const challenge = headers['www-authenticate']?.replace(
    /error_description="[^"]*"/,
    'error_description="…"',
  );
  const shown = challenge === undefined ? '' : `\`WWW-Authenticate: ${challenge}\``;
  return `| ${status} | ${error} | ${code === 'method_not_allowed' ? '`Allow`' : shown} | ${occasion} |`;
}
