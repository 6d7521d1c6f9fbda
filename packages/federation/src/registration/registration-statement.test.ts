import { applyPolicy, parseMetadataPolicy } from '@vestibule/metadata/policy';
import { epochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readGivenChain } from '../chains/given-chain.js';
import { evaluateGivenChain } from '../chains/resolve-trust.js';
import { anEntityId } from '../testing/entity-ids.js';
import { LIFETIME, NOW } from '../testing/test-entity.js';
import { asGivenChain, soundStatements, threeLevels, trustRules } from '../testing/three-levels.js';
import { type RegistrationOutcome, registrationStatement } from './registration-statement.js';
import { requireTrust } from './resolve-registration.js';

const fixture = threeLevels();
const self = anEntityId('https://op.example');
const rules = { profile: 'final', allowHosts: [] } as const;
const resolution = await evaluateGivenChain(
  readGivenChain(asGivenChain(soundStatements(fixture)), rules),
  trustRules(fixture),
);
const trust = requireTrust(resolution);

const registered: JsonObject = {
  client_id: 'c1',
  client_id_issued_at: NOW,
  client_secret: 's',
  client_secret_expires_at: 0,
  grant_types: ['authorization_code'],
  registration_access_token: 't',
  registration_client_uri: 'https://op.example/clients/c1',
};

function statement(changes: Partial<RegistrationOutcome> = {}) {
  return registrationStatement({ profile: 'final', self, trust, registered, issuedAt: NOW, ...changes });
}

const common = {
  iss: self,
  sub: fixture.leaf.id,
  aud: fixture.leaf.id,
  iat: NOW,
  exp: NOW + LIFETIME,
  authority_hints: [fixture.org.id],
};
const members = {
  client_id: 'c1',
  client_id_issued_at: NOW,
  client_secret: 's',
  client_secret_expires_at: 0,
  grant_types: ['authorization_code'],
};

describe('registrationStatement', () => {
  it('contains a value operation for every member in the draft profile, for a signature with RS256', () => {
    const policy = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }]));
    expect(statement({ profile: 'draft' })).toEqual({
      mediaType: 'application/jose',
      typ: 'JWT',
      algorithm: 'RS256',
      expiresAt: NOW + LIFETIME,
      claims: { ...common, metadata_policy: { openid_relying_party: policy } },
    });
  });

  it('has policy operations in the draft profile that turn the submitted metadata into the registered metadata', () => {
    const { claims } = statement({ profile: 'draft' });
    const applied = applyPolicy(parseMetadataPolicy(claims['metadata_policy']), {
      openid_relying_party: { grant_types: ['implicit'] },
    });
    expect(applied).toMatchObject({ ok: true, metadata: { openid_relying_party: members } });
  });

  // OpenID Federation 1.0, figure 75.
  it('contains the registered metadata, the anchor and the keys of the entity in the final profile', () => {
    expect(statement()).toEqual({
      mediaType: 'application/explicit-registration-response+jwt',
      typ: 'explicit-registration-response+jwt',
      algorithm: undefined,
      expiresAt: NOW + LIFETIME,
      claims: {
        ...common,
        trust_anchor: fixture.anchor.id,
        jwks: fixture.leaf.jwks,
        metadata: { openid_relying_party: members },
      },
    });
  });

  it('never outlives the chain', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.integer({ min: 1, max: 9_999 }),
        (chainEnd, wanted) => {
          const { expiresAt, claims } = statement({
            trust: { ...trust, expiresAt: epochSeconds(NOW + chainEnd) },
            expiresAt: epochSeconds(NOW + wanted),
          });
          expect([expiresAt, claims['exp']]).toEqual([NOW + Math.min(chainEnd, wanted), expiresAt]);
        },
      ),
    );
  });

  it('refuses a lifetime beyond that of the client secret', () => {
    const secret = (end: number) =>
      statement({ registered: { ...registered, client_secret_expires_at: end } });
    expect(() => secret(NOW + LIFETIME - 1)).toThrow(RangeError);
    expect(secret(NOW + LIFETIME).claims['exp']).toBe(NOW + LIFETIME);
  });
});
