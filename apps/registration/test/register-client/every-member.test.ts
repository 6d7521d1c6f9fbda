import { ClientMetadataSchema } from '@vestibule/metadata';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { pathOf, registered, send } from '../support/calls.js';

/** Values as they stand in JSON text, byte for byte; those that nothing may hold are refused everywhere. */
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

/** A registration has none of them, and ignores what stands in their place (RFC 7591 section 2). */
const ISSUED = ['client_id', 'client_secret', 'registration_access_token', 'registration_client_uri'];

const MEMBERS = [
  ...Object.keys(ClientMetadataSchema.properties),
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

// A member that is set twice would be refused for that.
function bodyText(id: string, member: string, form: string): string {
  const others = { client_id: id, redirect_uris: ['https://app.example/cb'] };
  const start = Object.entries(others).filter(([name]) => name !== member);
  return `{${[...start.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${member}":${form}`].join()}}`;
}

// What PostgreSQL cannot store must be refused before it is asked to (SQLSTATE class 22).
it('answers 400 or keeps the value, in every member that there is, alone, in a list and in an object', async () => {
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
