import { createHmac, sign } from 'node:crypto';
import { verifyJwt } from '@vestibule/crypto/jwt';
import type { ClientId } from '@vestibule/protocol';
import { describe, expect, it, vi } from 'vitest';
import { decoyKeys } from '../cache/decoy-keys.js';
import { aKeyPair, assertionFixture } from '../testing/assertion-fixture.js';
import { authenticate, expectRefused, REFUSED } from '../testing/authenticate-by-assertion.js';
import { ISSUER } from '../testing/client-fixture.js';
import { memoryReplayStore, unavailableReplayStore } from '../testing/index.js';
import { layeredReplayStore, type ReplayStore } from './replay-store.js';
import { whySignedAssertionRefused } from './why-assertion-refused.js';

// Another file of this worker may have loaded the modules without the spy.
vi.hoisted(() => vi.resetModules());
vi.mock('../cache/decoy-keys.js', { spy: true });

const ANY_HS256 = { algorithms: ['HS256' as const], types: ['JWT'], maxLength: 4096 };

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('signatures of client assertions (RFC 8725 section 3)', () => {
  it('accept no assertion without a valid signature', async () => {
    const fixture = await assertionFixture();
    const { pair } = fixture;
    const otherPair = aKeyPair();
    const claims = fixture.claims();
    const keyedWith = (secret: string | Buffer, alg = 'HS256') => {
      const input = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    };
    const signedBy = ({ privateKey }: typeof pair, header: object) => {
      const input = `${encode({ alg: 'ES256', typ: 'JWT', ...header })}.${encode(claims)}`;
      const made = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${input}.${made.toString('base64url')}`;
    };
    const [head = '', body = '', signature = ''] = (await fixture.assertion()).split('.');
    const forgeries: Record<string, string> = {
      ...Object.fromEntries(
        ['none', 'None', 'NONE', 'nOnE', ' none', ''].map((alg) => [
          `alg ${alg}`,
          `${encode({ alg, typ: 'JWT' })}.${encode(claims)}.`,
        ]),
      ),
      'keyed with the public key as PEM': keyedWith(pair.publicKey.export({ type: 'spki', format: 'pem' })),
      'keyed with the public key as DER': keyedWith(pair.publicKey.export({ type: 'spki', format: 'der' })),
      'keyed with the public key as JWK': keyedWith(JSON.stringify(pair.jwk)),
      'keyed with nothing': keyedWith(''),
      'keyed with the identifier': keyedWith('rs1'),
      'signed with another key': await fixture.assertion({}, otherPair.key),
      'signed with another key without key id': signedBy(otherPair, {}),
      'with its key in the header': signedBy(otherPair, { jwk: otherPair.jwk }),
      'with addresses of keys in the header': signedBy(otherPair, {
        jku: 'https://evil.example',
        x5u: 'https://evil.example',
      }),
      'with a key id that is a path': signedBy(pair, { kid: '../../../dev/null' }),
      'with a key id that is a list': signedBy(pair, { kid: ['k1'] }),
      'with a key id that is too long': signedBy(pair, { kid: 'k'.repeat(8192) }),
      'with a critical header': signedBy(pair, { crit: ['exp'], exp: fixture.now }),
      'naming another algorithm': signedBy(pair, { alg: 'ES384' }),
      'naming RSA': signedBy(pair, { alg: 'RS256' }),
      'with other claims': `${head}.${encode(claims)}.${signature}`,
      'with zeros for a signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'without signature': `${head}.${body}.`,
      encrypted: `${head}.${body}.${signature}.${body}.${signature}`,
      'too long': await fixture.assertion({ filler: 'x'.repeat(16_384) }),
      'no JWT': 'assertion',
    };
    await fixture.registerSecret();
    for (const [title, assertion] of Object.entries(forgeries))
      await expectRefused(fixture, assertion, title);
    fixture.registerKeys();
    for (const [title, assertion] of Object.entries(forgeries))
      await expectRefused(fixture, assertion, title);
    expect(fixture.fetched).toEqual([]);
  });

  // The decoy keys of unknown clients must not authenticate anyone.
  it('refuse assertions that are signed with the decoy keys', async () => {
    const fixture = await assertionFixture();
    const [standIn] = await decoyKeys({ alg: 'HS256', kid: undefined });
    if (standIn === undefined) throw new Error('no key');
    for (const id of ['rs1', 'rs2'] as ClientId[])
      fixture.register({ id }, { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } });
    const { secret: _, ...withoutSecret } = await fixture.registerSecret();
    const deps = { ...fixture.deps, clients: { ...fixture.clients, find: async () => withoutSecret } };
    for (const candidate of [fixture, { ...fixture, deps }]) {
      const assertion = await fixture.assertion({}, standIn);
      expect((await verifyJwt(assertion, { keys: () => [standIn], ...ANY_HS256 })).claims).toBeDefined();
      await expectRefused(candidate, assertion, 'keyed with a stand-in');
    }
  });

  it('distinguish the two methods', async () => {
    const fixture = await assertionFixture();
    await fixture.registerSecret({ jwks: { keys: [fixture.pair.jwk] } });
    await expectRefused(fixture, await fixture.assertion(), 'a key pair for client_secret_jwt');
    await fixture.registerSecret({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [fixture.pair.jwk] },
    });
    await expectRefused(
      fixture,
      await fixture.assertion({}, fixture.secretKey()),
      'a secret for private_key_jwt',
    );
  });
});

describe('assertions whose signature was verified elsewhere', () => {
  it('are checked by the same rules, and accepted once across all services', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const { assertions = expect.fail('no assertions') } = fixture.deps;
    const clientId = 'rs1' as ClientId;
    const whyRefused = (assertion: string, replays: ReplayStore = fixture.replays) =>
      whySignedAssertionRefused(
        { clock: fixture.clock, assertions: { ...assertions, replays } },
        { assertion, clientId, client: undefined },
      );
    const [here, there] = [await fixture.assertion(), await fixture.assertion()];
    expect(await whyRefused(here)).toBeUndefined();
    await expectRefused(fixture, here, 'used elsewhere');
    await authenticate(fixture, there);
    expect(await whyRefused(there)).toBeDefined();
    const { now } = fixture;
    for (const changes of [
      { aud: `${ISSUER}/token` },
      { exp: now + 3_631 },
      { iat: now + 31 },
      { iss: 'rs2' },
    ])
      expect(await whyRefused(await fixture.assertion(changes)), JSON.stringify(changes)).toBeDefined();
    expect(await whyRefused(await fixture.assertion({}, fixture.pair.key, 'dpop+jwt'))).toBeDefined();
    await expect(whyRefused(await fixture.assertion(), unavailableReplayStore)).rejects.toThrow();
  });
});

describe('single use of client assertions', () => {
  // Otherwise an attacker who knows or guesses the next jti of a client could lock it out.
  it('is not consumed by an assertion that another key signed', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const claims = { jti: 'victims-next' };
    await expectRefused(fixture, await fixture.assertion(claims, aKeyPair().key), 'forged');
    await authenticate(fixture, await fixture.assertion(claims));
  });

  it('is not consumed by another client with the same jti, nor by a refused assertion', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    fixture.registerKeys({}, { id: 'rs2' as ClientId });
    const jti = 'same';
    await expectRefused(fixture, await fixture.assertion({ jti, aud: 'https://other.example' }), 'audience');
    await authenticate(fixture, await fixture.assertion({ jti, iss: 'rs2', sub: 'rs2' }));
    await authenticate(fixture, await fixture.assertion({ jti }));
  });

  it('accepts one of 200 parallel uses in two processes', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const assertion = await fixture.assertion();
    const uses = Array.from({ length: 200 }, () =>
      authenticate(fixture, assertion).then(
        () => 1,
        () => 0,
      ),
    );
    expect((await Promise.all(uses)).reduce<number>((sum, passed) => sum + passed, 0)).toBe(1);
  });

  it('holds if one of two stores is lost between two uses', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const database = memoryReplayStore();
    const assertion = await fixture.assertion();
    const over = (replays: ReplayStore) => ({ ...fixture, deps: fixture.depsWith({ replays }) });
    await authenticate(over(layeredReplayStore([memoryReplayStore(), database])), assertion);
    for (const cache of [unavailableReplayStore, memoryReplayStore()])
      await expect(
        authenticate(over(layeredReplayStore([cache, database])), assertion),
      ).rejects.toMatchObject(REFUSED);
  });

  it('refuses every client with an internal error if no store responds', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    const replays = layeredReplayStore([unavailableReplayStore, unavailableReplayStore]);
    const broken = { ...fixture, deps: fixture.depsWith({ replays }) };
    await expect(authenticate(broken, await fixture.assertion())).rejects.toThrow(
      'no store can tell whether an assertion was used',
    );
  });

  it('is recorded for as long as the slowest of our clocks accepts the assertion', async () => {
    const fixture = await assertionFixture();
    fixture.registerKeys();
    await authenticate(fixture, await fixture.assertion({ exp: fixture.now + 300 }));
    expect([...fixture.replays.records.values()]).toEqual([fixture.now + 330]);
  });
});

describe('timing', () => {
  // Otherwise the response time would reveal which client identifiers exist.
  it('verifies a signature for unknown clients, clients without keys and other algorithms too', async () => {
    const fixture = await assertionFixture();
    const keys = [fixture.pair.key, aKeyPair('k1', 'RS256').key, fixture.secretKey('HS512')];
    const cases: [string, () => unknown][] = [
      ['unknown client', () => undefined],
      ['another method', () => fixture.register()],
      ['no usable key', () => fixture.registerKeys({ jwks: { keys: [] } })],
      ['another algorithm', () => fixture.registerKeys({ token_endpoint_auth_signing_alg: 'PS256' })],
    ];
    for (const [title, register] of cases) {
      register();
      for (const key of keys) {
        vi.mocked(decoyKeys).mockClear();
        await expectRefused(fixture, await fixture.assertion({}, key), title);
        expect(decoyKeys, `${title}, ${key.algorithm}`).toHaveBeenCalledTimes(1);
      }
    }
  });
});
