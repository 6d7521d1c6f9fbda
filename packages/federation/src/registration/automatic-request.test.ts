import { DomainError } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEntityId } from '../testing/entity-ids.js';
import { anEntity, type Changes, keysOf, NOW, signAs } from '../testing/test-entity.js';
import { asGivenChain, soundStatements, threeLevels } from '../testing/three-levels.js';
import { type AutomaticProof, readAutomaticRequest, verifyAutomaticRequest } from './automatic-request.js';

const self = anEntityId('https://op.example');
const fixture = threeLevels();
const client = anEntity(fixture.leaf.id, 'rp key');
const chain = asGivenChain(soundStatements(fixture));
const rules = {
  self,
  allowHosts: [],
  requestEndpoints: [`${self}/authorize`],
  now: NOW,
  maxLifetimeSeconds: 300,
};
const id = client.id;

const CLAIMS: Readonly<Record<AutomaticProof, JsonObject>> = {
  request_object: { iss: id, client_id: id, aud: self, jti: 'j1', exp: NOW + 60, response_type: 'code' },
  client_assertion: { iss: id, sub: id, aud: self, jti: 'j1', exp: NOW + 60 },
};

function token(proof: AutomaticProof, changes: Changes = {}, header: JsonObject = {}, by = client): string {
  return signAs(by, JSON.parse(JSON.stringify({ ...CLAIMS[proof], ...changes })), { typ: null, ...header });
}

const read = (proof: AutomaticProof, text: string, clientId: unknown = id) =>
  readAutomaticRequest(proof, text, clientId, rules);

function refusal(proof: AutomaticProof, text: string, clientId: unknown = id): string {
  try {
    read(proof, text, clientId);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.description;
    throw error;
  }
  throw new Error('was accepted');
}

const PROOFS: readonly AutomaticProof[] = ['request_object', 'client_assertion'];

describe('readAutomaticRequest', () => {
  it.each(PROOFS)('reads a %s with the claims that it needs', (proof) => {
    const request = read(proof, token(proof, { iat: NOW + 30, nbf: NOW }));
    expect(request).toMatchObject({ proof, clientId: id, jti: 'j1', expiresAt: NOW + 60 });
    expect(request.claims).toMatchObject(CLAIMS[proof]);
    expect([request.chain, request.peerChain]).toEqual([undefined, undefined]);
    expect(read(proof, token(proof, { aud: [self], exp: NOW + 300 })).expiresAt).toBe(NOW + 300);
    expect(read(proof, token(proof, {}, { typ: 'JWT' })).jti).toBe('j1');
  });

  it('accepts the type of request objects only for request objects', () => {
    const header = { typ: 'oauth-authz-req+jwt' };
    expect(read('request_object', token('request_object', {}, header)).jti).toBe('j1');
    expect(refusal('client_assertion', token('client_assertion', {}, header))).toContain('typ');
  });

  it('accepts request objects with sub and an endpoint in aud, which are not client assertions', () => {
    const aud = [self, `${self}/authorize`];
    expect(read('request_object', token('request_object', { aud, sub: id })).jti).toBe('j1');
    expect(read('request_object', token('request_object', { aud })).jti).toBe('j1');
    for (const changes of [
      { aud, sub: 'https://other.example' },
      { aud, sub: null },
      { aud: [self], sub: id },
      { aud: [self, self], sub: id },
      { aud: [self, `${self}/token`], sub: id },
      { aud: [`${self}/authorize`], sub: id },
    ])
      expect(refusal('request_object', token('request_object', changes))).toMatch(/sub|aud/);
    expect(refusal('client_assertion', token('client_assertion', { aud }))).toContain('aud');
  });

  it.each(PROOFS)('refuses a %s with one defect', (proof) => {
    const other = 'https://other.example';
    const changes: Changes[] = [
      { iss: undefined },
      { iss: other },
      { iss: `${id}/` },
      { aud: undefined },
      { aud: other },
      { aud: `${self}/` },
      { aud: [self, other] },
      { aud: [] },
      { aud: { [self]: true } },
      { jti: undefined },
      { jti: '' },
      { jti: 1 },
      { exp: undefined },
      { exp: NOW },
      { exp: NOW + 301 },
      { exp: 1e300 },
      { exp: String(NOW + 60) },
      { iat: NOW + 31 },
      { iat: 'now' },
      { nbf: NOW + 31 },
      { nbf: null },
    ];
    for (const change of changes)
      expect(refusal(proof, token(proof, change)), JSON.stringify(change)).toBeDefined();
    for (const header of [
      { alg: 'none' },
      { alg: 'HS256' },
      { typ: 'entity-statement+jwt' },
      { typ: 'at+jwt' },
      { crit: ['exp'] },
    ])
      expect(refusal(proof, token(proof, {}, header)), JSON.stringify(header)).toBeDefined();
    for (const text of ['', 'a.b.c', 'a.b.c.d.e', `${token(proof)}=`])
      expect(refusal(proof, text)).toBeDefined();
  });

  it('distinguishes request objects from assertions', () => {
    for (const change of [
      { sub: id },
      { request: 'x' },
      { request_uri: 'x' },
      { client_id: undefined },
      { client_id: 'https://other.example' },
    ])
      expect(
        refusal('request_object', token('request_object', change)),
        JSON.stringify(change),
      ).toBeDefined();
    for (const sub of [undefined, 'https://other.example'])
      expect(refusal('client_assertion', token('client_assertion', { sub }))).toBeDefined();
    expect(refusal('client_assertion', token('request_object'))).toBeDefined();
    expect(refusal('request_object', token('client_assertion'))).toBeDefined();
  });

  it('refuses client identifiers that are not valid entity identifiers', () => {
    for (const clientId of [null, '', 'c1', 'http://rp.example.com', `${id}?a`, `${id}/`, [id], 1])
      expect(refusal('request_object', token('request_object'), clientId)).toBeDefined();
    expect(refusal('request_object', token('request_object'), 'c1')).toContain('client_id');
  });

  it('reads the chains in the header, the first of which is about the client', () => {
    const header = { trust_chain: [...chain], peer_trust_chain: [...chain] };
    const request = read('request_object', token('request_object', {}, header));
    expect(request.chain?.subject.subject).toBe(id);
    expect(request.peerChain?.links).toHaveLength(2);
    for (const bad of [[], 'x', chain.slice(1), [chain[0] ?? '']])
      for (const name of ['trust_chain', 'peer_trust_chain'])
        expect(refusal('request_object', token('request_object', {}, { [name]: bad }))).toBeDefined();
    const outsider = anEntity('https://other.example');
    const foreign = token(
      'request_object',
      { iss: outsider.id, client_id: outsider.id },
      { trust_chain: [...chain] },
    );
    expect(refusal('request_object', foreign, outsider.id)).toContain('another entity');
  });

  it('throws no other error, whatever the input is', () => {
    const claims = fc.dictionary(fc.constantFrom('iss', 'aud', 'exp', 'jti', 'sub', 'nbf'), fc.jsonValue());
    const texts = fc.oneof(
      fc.string(),
      claims.map((changes) => token('request_object', changes as JsonObject)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...PROOFS),
        texts,
        fc.oneof(fc.constant(id), fc.anything()),
        (proof, text, clientId) => {
          try {
            read(proof, text, clientId);
          } catch (error) {
            expect(error).toMatchObject({ name: 'DomainError', code: 'invalid_request' });
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('verifyAutomaticRequest', () => {
  it.each(PROOFS)('accepts a %s that was signed with a key of the client, and no other', async (proof) => {
    const good = read(proof, token(proof));
    await expect(verifyAutomaticRequest(good, keysOf(client))).resolves.toBeUndefined();
    for (const forged of [
      token(proof, {}, { kid: client.kid }, fixture.outsider),
      token(proof, {}, {}, fixture.leaf),
      token(proof, {}, { alg: 'ES384' }),
    ])
      await expect(verifyAutomaticRequest(read(proof, forged), keysOf(client))).rejects.toMatchObject({
        code: 'unauthorized_client',
        description: 'The entity cannot be trusted.',
      });
  });
});
