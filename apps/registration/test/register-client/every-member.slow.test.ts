import { CHOICE_MEMBERS, ClientMetadataSchema } from '@vestibule/metadata';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { pathOf, registered, send } from '../support/calls.js';

/** Values as in JSON text, byte for byte; those marked as refused must be refused everywhere. */
const HOSTILE: readonly (readonly [value: string, isRefused: boolean])[] = [
  ['"a\\u0000b"', true],
  ['"a\\ud800b"', true],
  ['"a\\udfffb"', true],
  ['"a\\ufffeb"', false],
  ['"a\xffb"', true],
  [`"${'x'.repeat(3_072)}"`, false],
  [`"https://a.example/${'x'.repeat(3_072)}"`, false],
  ['"https://a.example/\\ufffe"', false],
  ['1e400', true],
  ['-1e400', true],
  ['"\\u2028\\u2029\\ud83d\\ude00\\"\\\\"', false],
];

/** Registrations have no such members; they are ignored in requests (RFC 7591 section 2). */
const ISSUED = ['client_id', 'client_secret', 'registration_access_token', 'registration_client_uri'];

const MEMBERS = [
  ...Object.keys(ClientMetadataSchema.properties),
  ...CHOICE_MEMBERS.keys(),
  'client_name#fr',
  'data',
  'preferred_client_id',
  'preferred_client_secret',
  ...ISSUED,
];

/** Every member with every value: as it is, in a list and in an object. */
const BODIES = MEMBERS.flatMap((member) =>
  HOSTILE.flatMap(([value, isRefused]) =>
    [value, `[${value}]`, `{"a":${value}}`].map((form) => ({ member, form, isRefused })),
  ),
);

// A repeated member would be refused for that reason.
function bodyText(id: string, member: string, form: string): string {
  const others = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const start = Object.entries(others).filter(([name]) => name !== member);
  return `{${[...start.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${member}":${form}`].join()}}`;
}

// Values that PostgreSQL cannot store must be refused before they reach it (SQLSTATE class 22).
it('responds with 400 or keeps the value, in every member, alone, in a list and in an object', async () => {
  const { app } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const kept = new Set<string>();
  for (const { member, form, isRefused } of BODIES) {
    const text = bodyText(id, member, form);
    for (const target of ['POST /clients', `PUT ${pathOf(id)}`]) {
      const { status } = await send(app, target, { token: MASTER, payload: Buffer.from(text, 'latin1') });
      const isIgnored = target === 'POST /clients' && ISSUED.includes(member);
      expect(isRefused && !isIgnored ? [400] : [200, 400], `${target} ${text.slice(0, 200)}`).toContain(
        status,
      );
      if (status === 200) kept.add(`${target.slice(0, 4).trim()} ${member}`);
    }
  }
  expect([...kept]).toEqual(
    expect.arrayContaining(['POST client_name', 'PUT client_name', 'POST data', 'PUT data']),
  );
});
