import { createHmac, sign } from 'node:crypto';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { aKeyPair, ISSUER, REMOTE_VENDOR, statementFixture, VENDOR } from '../testing/statement-fixture.js';

const INVALID = {
  code: 'invalid_software_statement',
  description: 'The software statement cannot be verified.',
};
const UNAPPROVED = {
  code: 'unapproved_software_statement',
  description: 'The issuer of the software statement is not trusted here.',
};

const encode = (value: JsonValue) => Buffer.from(JSON.stringify(value)).toString('base64url');

type Fixture = ReturnType<typeof statementFixture>;

/** A statement with any header and payload, signed with the key of a pair, unlike a correct library. */
function signedBy({ privateKey }: Fixture['vendor'], header: JsonObject, payload: string): string {
  const input = `${encode({ alg: 'ES256', ...header })}.${Buffer.from(payload).toString('base64url')}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

/** The same, signed by the trusted vendor. */
function forged(
  { vendor }: Fixture,
  header: JsonObject,
  claims: JsonObject | string = { iss: VENDOR },
): string {
  const payload = typeof claims === 'string' ? claims : JSON.stringify(claims);
  return signedBy(vendor, { kid: 'v1', ...header }, payload);
}

describe('createSoftwareStatementVerifier', () => {
  it('returns the claims of a statement from a trusted issuer, with its keys by value or by URL', async () => {
    const { verifier, state, remoteVendor, fetched } = statementFixture();
    const claims = { client_name: 'Vendor App', software_id: 'app', redirect_uris: ['https://a.example/cb'] };
    expect(await verifier.verify(await state(claims))).toEqual({ iss: VENDOR, ...claims });
    expect(fetched).toEqual([]);
    const remote = await state({ iss: REMOTE_VENDOR, ...claims }, remoteVendor.key);
    expect(await verifier.verify(remote)).toEqual({ iss: REMOTE_VENDOR, ...claims });
    expect(fetched).toEqual(['https://remote.example/jwks']);
  });

  it('accepts by default only statements without typ and of type JWT', async () => {
    const fixture = statementFixture();
    const typed = (typ?: string) => forged(fixture, typ === undefined ? {} : { typ });
    for (const statement of [typed(), typed('JWT'), typed('jwt'), typed('application/jwt')])
      expect(await fixture.verifier.verify(statement)).toEqual({ iss: VENDOR });
    for (const statement of [typed('software-statement+jwt'), typed('at+jwt'), typed('')])
      await expect(fixture.verifier.verify(statement)).rejects.toMatchObject(INVALID);

    const strict = statementFixture({ types: ['software-statement+jwt'] });
    expect(await strict.verifier.verify(forged(strict, { typ: 'software-statement+jwt' }))).toBeDefined();
    for (const header of [{}, { typ: 'JWT' }])
      await expect(strict.verifier.verify(forged(strict, header))).rejects.toMatchObject(INVALID);
  });

  it('checks times and audience if they are given', async () => {
    const { verifier, state, now } = statementFixture();
    const good: JsonObject[] = [
      { exp: now + 1, nbf: now + 30, iat: now + 30 },
      { iat: 0 },
      { aud: ISSUER },
      { aud: ['https://other.example', `${ISSUER}/clients`] },
    ];
    for (const claims of good) expect(await verifier.verify(await state(claims))).toMatchObject(claims);
    const bad: JsonObject[] = [
      { exp: now },
      { exp: 0 },
      { exp: String(now + 60) },
      { exp: null },
      { exp: 1e300 },
      { nbf: now + 31 },
      { iat: now + 31 },
      { iat: 'now' },
      { aud: 'https://other.example' },
      { aud: `${ISSUER}/` },
      { aud: [] },
      { aud: { [ISSUER]: true } },
    ];
    for (const claims of bad)
      await expect(verifier.verify(await state(claims)), JSON.stringify(claims)).rejects.toMatchObject(
        INVALID,
      );
  });

  // An accepted statement speaks for a vendor: it names the software, its URLs and its keys.
  it('accepts no forgery', async () => {
    const fixture = statementFixture();
    const { vendor, remoteVendor, now } = fixture;
    const otherPair = aKeyPair('v1');
    const claims: JsonObject = { iss: VENDOR, client_name: 'Evil' };
    const genuine = await fixture.state();
    const [head = '', body = '', signature = ''] = genuine.split('.');
    const unsigned = (alg: string) => `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`;
    const hmac = (secret: string | Buffer) => {
      const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    };
    const spki = vendor.publicKey.export({ type: 'spki', format: 'pem' });
    const jwk = otherPair.publicKey.export({ format: 'jwk' }) as JsonObject;
    const withOtherKey = (header: JsonObject) => signedBy(otherPair, header, JSON.stringify(claims));
    const forgeries: Record<string, string> = {
      'signed with another key': await fixture.state(claims, otherPair.key),
      'signed by another trusted issuer': await fixture.state(claims, remoteVendor.key),
      'of the remote issuer, signed by the other': await fixture.state({ iss: REMOTE_VENDOR }, vendor.key),
      unsigned: unsigned('none'),
      'unsigned in capitals': unsigned('NONE'),
      'keyed with the public key as PEM': hmac(spki),
      'keyed with the public key as JWK': hmac(JSON.stringify(vendor.jwks)),
      'keyed with nothing': hmac(''),
      'with its key in the header': withOtherKey({ jwk }),
      'with its key set in the header': withOtherKey({ jku: 'https://evil.example/jwks' }),
      'with its certificate in the header': withOtherKey({ x5c: ['MII'], x5u: 'https://evil.example/c' }),
      'with a path as key id': withOtherKey({ kid: '../../dev/null' }),
      'with other claims under a genuine signature': `${head}.${encode(claims)}.${signature}`,
      'without signature': `${head}.${body}.`,
      'with zeros for a signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'naming another algorithm': forged(fixture, { alg: 'ES384' }),
      'with a critical header': forged(fixture, { crit: ['exp'], exp: now }),
      'without issuer': forged(fixture, {}, { client_name: 'Evil' }),
      'with an empty issuer': forged(fixture, {}, { iss: '' }),
      'with a list of issuers': forged(fixture, {}, { iss: [VENDOR] }),
      'with a repeated issuer': forged(fixture, {}, `{"iss":"https://x.example","iss":"${VENDOR}"}`),
      'whose claims are a list': forged(fixture, {}, `["${VENDOR}"]`),
      padded: `${genuine}=`,
      'with a fourth part': `${genuine}.${signature}`,
      'too long': await fixture.state({ filler: 'x'.repeat(13_000) }),
      'not a JWT': 'statement',
      empty: '',
    };
    for (const [title, statement] of Object.entries(forgeries))
      await expect(fixture.verifier.verify(statement), title).rejects.toMatchObject(INVALID);
    expect(fixture.fetched).toEqual(['https://remote.example/jwks']);
  });

  it('refuses an issuer that is not configured as not approved, and fetches nothing', async () => {
    const { verifier, state, fetched } = statementFixture();
    const otherPair = aKeyPair('s1');
    for (const iss of ['https://evil.example', `${VENDOR}/`, VENDOR.toUpperCase(), ` ${VENDOR}`, '__proto__'])
      await expect(verifier.verify(await state({ iss }, otherPair.key)), iss).rejects.toMatchObject(
        UNAPPROVED,
      );
    expect(fetched).toEqual([]);
  });

  it('refuses anything that is not a signed statement as invalid, whatever its issuer', async () => {
    const { verifier } = statementFixture();
    for (const alg of ['none', 'HS256', 'dir']) {
      const statement = `${encode({ alg })}.${encode({ iss: 'https://evil.example' })}.c2ln`;
      await expect(verifier.verify(statement), alg).rejects.toMatchObject(INVALID);
    }
  });

  it('refuses a statement while the key set of the issuer is unavailable, or contains a private key', async () => {
    const { verifier, state, remoteVendor, served, clock } = statementFixture();
    const statement = await state({ iss: REMOTE_VENDOR }, remoteVendor.key);
    const jwk = remoteVendor.privateKey.export({ format: 'jwk' });
    for (const jwks of [undefined, { keys: [] }, { keys: [{ ...jwk, kid: 'r1' }] }]) {
      served.jwks = jwks;
      await expect(verifier.verify(statement)).rejects.toMatchObject(INVALID);
      clock.advanceSeconds(30);
    }
    served.jwks = remoteVendor.jwks;
    expect(await verifier.verify(statement)).toEqual({ iss: REMOTE_VENDOR });
  });

  it('repeats nothing of a statement in its errors', async () => {
    const { verifier, state } = statementFixture();
    const secret = 'SECRET-OF-THE-VENDOR';
    for (const statement of [secret, await state({ iss: secret }), await state({ exp: secret })]) {
      const error = await verifier.verify(statement).catch((thrown) => thrown);
      expect([error.message, error.description, error.detail, String(error.cause)].join()).not.toContain(
        secret,
      );
    }
  });

  it('passes on internal errors', async () => {
    const remoteKeySets = { verificationKeys: () => () => Promise.reject(new Error('a bug')) };
    const { verifier, state, remoteVendor } = statementFixture({ remoteKeySets });
    const statement = await state({ iss: REMOTE_VENDOR }, remoteVendor.key);
    await expect(verifier.verify(statement)).rejects.toThrow('a bug');
  });
});
