import { randomBytes } from 'node:crypto';
import { documentedResponse, type Seen } from '@vestibule/http/testing';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { noteSecret } from '@vestibule/testkit';
import { expect } from 'vitest';
import { MASTER, NOW, type TestApp } from './build-test-app.js';
import { API_DOCUMENT, members, NO_STORE, post } from './calls.js';

/** An entry of an import: an access token of ten minutes. */
export function anImport(clientId: string, deviation: Readonly<Record<string, unknown>> = {}) {
  const token = randomBytes(32).toString('base64url');
  noteSecret('imported token', token);
  return {
    token,
    kind: 'access',
    client_id: clientId,
    sub: 'alice',
    scope: 'read',
    iat: NOW - 60,
    exp: NOW + 540,
    ...deviation,
  };
}

/** Sends tokens as JSON. */
export function sendImports(app: TestApp['app'], tokens: readonly unknown[]): Promise<Seen> {
  return post(app, '/direct-authz/tokens', { tokens });
}

/** Imports tokens as JSON, and returns the numbers by result. */
export async function imported(app: TestApp['app'], tokens: readonly unknown[]) {
  return members(await sendImports(app, tokens));
}

/** Sends lines, and returns the response. */
export function sendLines(app: TestApp['app'], lines: readonly (string | Buffer)[]): Promise<Seen> {
  const payload = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  const headers = { 'content-type': MEDIA_TYPE.ndjson, authorization: `Bearer ${MASTER}` };
  const request = { method: 'POST', url: '/direct-authz/tokens', headers, payload } as const;
  return documentedResponse(app, request, API_DOCUMENT);
}

/** Sends tokens as lines, and returns the results. */
export async function importedLines(app: TestApp['app'], tokens: readonly unknown[]) {
  const { status, headers, body } = await sendLines(
    app,
    tokens.map((token) => JSON.stringify(token)),
  );
  expect({ status, headers }, body).toEqual({
    status: 200,
    headers: { ...NO_STORE, 'content-type': MEDIA_TYPE.ndjson },
  });
  return body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
