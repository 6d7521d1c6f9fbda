import { generateKeyPairSync } from 'node:crypto';
import { signJwt } from '@vestibule/crypto/jwt';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Profile } from '../profile.js';
import {
  anEntity,
  configurationClaims,
  keysOf,
  NOW,
  signAs,
  subordinateClaims,
  type TestEntity,
} from '../testing/test-entity.js';
import { decodeStatement } from './decode-statement.js';
import type { ParsedConfiguration, UnverifiedStatement, VerifiedConfiguration } from './entity-statement.js';
import { parseConfiguration, parseSubordinateStatement } from './parse-statement.js';
import { requireAlive, verifyConfiguration, verifySubordinateStatement } from './verify-statement.js';

const entity = anEntity('https://rp.example');

function parse(token: string, profile: Profile = 'final'): ParsedConfiguration {
  return parseConfiguration(decodeStatement(token), { profile, allowHosts: [] });
}

function entityWithKeys(...entities: readonly TestEntity[]): TestEntity {
  return { ...entity, jwks: { keys: entities.flatMap(({ jwks }) => jwks['keys'] as JsonObject[]) } };
}

describe('verifyConfiguration', () => {
  it('accepts a signature with the named key, and returns the same content', async () => {
    const statement = parse(signAs(entity, configurationClaims(entity)));
    expect(await verifyConfiguration(statement, keysOf(entity))).toEqual(statement);
  });

  it('refuses every other signature', async () => {
    const outsider = anEntity(entity.id, entity.kid);
    const good = signAs(entity, configurationClaims(entity));
    const [head, , signature] = good.split('.');
    const other = Buffer.from(JSON.stringify(configurationClaims(entity, { exp: NOW + 9_999 }))).toString(
      'base64url',
    );
    for (const token of [
      signAs(outsider, configurationClaims(entity)),
      `${head}.${other}.${signature}`,
      `${good.slice(0, good.lastIndexOf('.'))}.${Buffer.alloc(64).toString('base64url')}`,
      signAs(entity, configurationClaims(entity), { alg: 'ES384' }),
    ])
      await expect(verifyConfiguration(parse(token), keysOf(entity))).rejects.toMatchObject({
        name: 'FederationFailure',
      });
    await expect(
      verifyConfiguration(parse(signAs(outsider, configurationClaims(entity))), keysOf(entity)),
    ).rejects.toMatchObject({ reason: 'signature' });
  });

  it('uses only the named key', async () => {
    const token = signAs(entity, configurationClaims(entity), { kid: 'another' });
    await expect(verifyConfiguration(parse(token), keysOf(entity))).rejects.toMatchObject({
      reason: 'key_id',
    });
  });

  it('accepts a statement of the draft profile without kid if one key fits, but not if several do', async () => {
    const token = signAs(entity, configurationClaims(entity), { kid: null });
    expect(await verifyConfiguration(parse(token, 'draft'), keysOf(entity))).toBeDefined();
    const several = keysOf(entityWithKeys(entity, anEntity('https://b.example')));
    await expect(verifyConfiguration(parse(token, 'draft'), several)).rejects.toMatchObject({
      reason: 'key_id',
    });
    const named = signAs(entity, configurationClaims(entity));
    expect(await verifyConfiguration(parse(named), several)).toBeDefined();
  });

  it('verifies EdDSA in the final profile', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwks: JsonObject = {
      keys: [{ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: 'ed' }],
    };
    const signer = { ...entity, jwks };
    const claims = configurationClaims(signer);
    const token = await signJwt({
      key: { algorithm: 'EdDSA', kid: 'ed', key: privateKey },
      typ: 'entity-statement+jwt',
      claims,
    });
    expect(await verifyConfiguration(parse(token), keysOf(signer))).toBeDefined();
  });
});

it('verifySubordinateStatement requires a key of the superior', async () => {
  const superior = anEntity('https://org.example');
  const statement = parseSubordinateStatement(
    decodeStatement(signAs(superior, subordinateClaims(superior, entity))),
    { profile: 'final', allowHosts: [] },
  );
  expect(await verifySubordinateStatement(statement, keysOf(superior))).toEqual(statement);
  await expect(verifySubordinateStatement(statement, keysOf(entity))).rejects.toMatchObject({
    reason: 'key_id',
  });
});

it('requireAlive refuses from the second of exp on, and permits clock skew', () => {
  const at = (seconds: number) => (NOW + seconds) as typeof NOW;
  const alive = (issuedAt: number, expiresAt: number | undefined) => () =>
    requireAlive(
      { issuedAt: at(issuedAt), expiresAt: expiresAt === undefined ? undefined : at(expiresAt) },
      NOW,
    );
  for (const [issuedAt, expiresAt] of [
    [0, 1],
    [30, 60],
    [-99, 1],
    [0, undefined],
  ] as const)
    expect(alive(issuedAt, expiresAt)).not.toThrow();
  expect(alive(0, 0)).toThrow('exp has passed');
  expect(alive(-99, -1)).toThrow('exp has passed');
  expect(alive(31, 60)).toThrow('iat lies in the future');
});

it('a value of one verification state cannot be used as another', () => {
  expectTypeOf<ParsedConfiguration>().not.toExtend<VerifiedConfiguration>();
  expectTypeOf<VerifiedConfiguration>().not.toExtend<ParsedConfiguration>();
  expectTypeOf<UnverifiedStatement>().not.toExtend<ParsedConfiguration>();
  expectTypeOf<ParsedConfiguration>().not.toExtend<UnverifiedStatement>();
});
