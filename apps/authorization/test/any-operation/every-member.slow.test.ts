import { expect, it } from 'vitest';
import { DirectAuthorizationRequest } from '../../src/direct-authorization-request.js';
import { DirectRevocationRequest } from '../../src/direct-revocation.js';
import { DirectSessionRequest } from '../../src/direct-sessions.js';
import { SessionClientRequest } from '../../src/enter-session.js';
import { TokenImport } from '../../src/token-import-request.js';
import { buildTestApp, MASTER, NOW } from '../support/build-test-app.js';
import { members, post, send } from '../support/calls.js';

/** Values as in JSON text, byte for byte; those marked as refused must be refused everywhere. */
const HOSTILE: readonly (readonly [value: string, isRefused: boolean])[] = [
  ['"a\\u0000b"', true],
  ['"a\\ud800b"', true],
  ['"a\\udfffb"', true],
  ['"a\\ufffeb"', false],
  ['"a\xffb"', true],
  [`"${'x'.repeat(3_072)}"`, false],
  ['1e400', true],
  ['1e308', false],
  ['"\\u2028\\ud83d\\ude00\\"\\\\"', false],
];

const FORMS = [
  (value: string) => value,
  (value: string) => `[${value}]`,
  (value: string) => `{"a":${value}}`,
  (value: string) => `{"a":{"b":[${value}]}}`,
];

/** The JSON texts of a request with every hostile value in every member, beside the required members. */
function texts(schema: { readonly properties: object }, needed: Readonly<Record<string, string | number>>) {
  return Object.keys(schema.properties).flatMap((member) => {
    const others = Object.entries(needed).filter(([name]) => name !== member);
    const start = others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('');
    return HOSTILE.flatMap(([value, isRefused]) =>
      FORMS.map((form) => ({ text: `{${start}"${member}":${form(value)}}`, isRefused })),
    );
  });
}

// Values that PostgreSQL cannot store must be refused before they reach it (SQLSTATE class 22).
it('responds with 400 or succeeds, with every member of every direct request', async () => {
  const { app, register } = await buildTestApp();
  const { client_id: id } = await register();
  const { sid } = members(await post(app, '/direct-authz/sessions', { sub: 'alice' }));
  const requests = {
    '/direct-authz': [
      ...texts(DirectAuthorizationRequest, { client_id: id, scope: 'read' }),
      ...texts(DirectAuthorizationRequest, { client_id: id, scope: 'read', format: 'jwt' }),
      ...texts(DirectAuthorizationRequest, { scope: 'client-reg' }),
    ],
    '/direct-authz/revoke': texts(DirectRevocationRequest, {}),
    '/direct-authz/tokens': texts(TokenImport, {
      token: 'a'.repeat(43),
      kind: 'access',
      client_id: id,
      iat: NOW,
      exp: NOW + 60,
    }).map(({ text, isRefused }) => ({ text: `{"tokens":[${text}]}`, isRefused })),
    '/direct-authz/sessions': texts(DirectSessionRequest, { sub: 'alice' }),
    [`/direct-authz/sessions/${sid}/clients`]: texts(SessionClientRequest, { client_id: id, sub: 'alice' }),
  };
  for (const [path, bodies] of Object.entries(requests)) {
    const statuses = new Set<number>();
    for (const { text, isRefused } of bodies) {
      const payload = Buffer.from(text, 'latin1');
      const { status } = await send(app, `POST ${path}`, { token: MASTER, payload });
      expect(isRefused ? [400] : [200, 204, 400, 404], `${path} ${text.slice(0, 200)}`).toContain(status);
      statuses.add(status);
    }
    expect(statuses.size, path).toBe(2);
  }
});
