import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEntity, type Changes, NOW, signAs } from '../testing/test-entity.js';
import {
  asGivenChain,
  RECIPIENT as RECIPIENT_ID,
  SIGN,
  soundStatements,
  threeLevels,
} from '../testing/three-levels.js';
import { type ExplicitRules, readExplicitRequest } from './explicit-request.js';

const fixture = threeLevels();
const self = RECIPIENT_ID;
const RECIPIENT: ExplicitRules = { self, allowHosts: [], draftProfile: 'accepted' };
const chain = asGivenChain(soundStatements(fixture));

const read = (mediaType: string, body: string, recipient = RECIPIENT) =>
  readExplicitRequest({ mediaType, body }, recipient);
const statement = (changes: Changes = {}, header: JsonObject = {}) =>
  SIGN.leaf(fixture, { aud: self, ...changes }, header);

/** The description with which a body is refused; fails for an accepted one, and for any other error. */
function refusal(mediaType: string, body: string, recipient = RECIPIENT): string {
  try {
    read(mediaType, body, recipient);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.description;
    throw error;
  }
  throw new Error('was accepted');
}

describe('readExplicitRequest', () => {
  it('reads the draft profile from application/jose, with or without an audience', () => {
    for (const body of [
      SIGN.leaf(fixture, { aud: undefined }),
      statement(),
      statement({ aud: [self] }),
      statement({}, { typ: null, kid: null }),
    ]) {
      const request = read(MEDIA_TYPE.jose, body);
      expect([request.subject.profile, request.subject.subject]).toEqual(['draft', fixture.leaf.id]);
      expect([request.chain, request.peerChain]).toEqual([undefined, undefined]);
    }
    expect(read(MEDIA_TYPE.jose, statement({}, { trust_chain: 'ignored' })).chain).toBeUndefined();
  });

  it('accepts the draft profile only with an audience, or not at all, if configured so', () => {
    const unaddressed = SIGN.leaf(fixture, { aud: undefined });
    const strict: ExplicitRules = { ...RECIPIENT, draftProfile: 'audience_required' };
    expect(read(MEDIA_TYPE.jose, statement(), strict).subject.profile).toBe('draft');
    expect(refusal(MEDIA_TYPE.jose, unaddressed, strict)).toContain('aud is not this provider alone');
    const closed: ExplicitRules = { ...RECIPIENT, draftProfile: 'refused' };
    for (const body of [unaddressed, statement()])
      expect(refusal(MEDIA_TYPE.jose, body, closed)).toContain('media type');
    for (const recipient of [strict, closed])
      expect(read(MEDIA_TYPE.entityStatementJwt, statement(), recipient).subject.profile).toBe('final');
  });

  it('reads a statement of the final profile, with the chains in its header', () => {
    const plain = read(MEDIA_TYPE.entityStatementJwt, statement());
    expect([plain.subject.profile, plain.chain, plain.peerChain]).toEqual(['final', undefined, undefined]);
    const peer = [...chain];
    const full = read(
      MEDIA_TYPE.entityStatementJwt,
      statement({}, { trust_chain: [...chain], peer_trust_chain: peer }),
    );
    expect(full.chain?.subject).toBe(full.subject);
    expect(full.chain?.links).toHaveLength(2);
    expect(full.peerChain?.subject.subject).toBe(fixture.leaf.id);
  });

  it('reads a chain in the body, whose first statement is the request', () => {
    const body = JSON.stringify([statement({}, { peer_trust_chain: [...chain] }), ...chain.slice(1)]);
    const request = read(MEDIA_TYPE.trustChainJson, body);
    expect(request.subject.audience).toEqual([self]);
    expect(request.chain?.subject).toBe(request.subject);
    expect(request.peerChain).toBeDefined();
    expect(
      read(MEDIA_TYPE.trustChainJson, JSON.stringify([statement(), ...chain.slice(1)])).peerChain,
    ).toBeUndefined();
  });

  it('requires this provider as the only audience: always in the final profile, and if there is one in the draft profile', () => {
    const bad = ['https://other.example', `${self}/`, [self, 'https://other.example'], [], ''];
    for (const aud of bad)
      for (const mediaType of [MEDIA_TYPE.jose, MEDIA_TYPE.entityStatementJwt])
        expect(refusal(mediaType, statement({ aud })), JSON.stringify(aud)).toContain('aud');
    expect(refusal(MEDIA_TYPE.entityStatementJwt, SIGN.leaf(fixture, { aud: undefined }))).toContain('aud');
    expect(
      refusal(
        MEDIA_TYPE.trustChainJson,
        JSON.stringify([SIGN.leaf(fixture, { aud: undefined }), ...chain.slice(1)]),
      ),
    ).toContain('aud');
  });

  it('refuses defects that can be found without a key', () => {
    const both = [MEDIA_TYPE.jose, MEDIA_TYPE.entityStatementJwt];
    for (const mediaType of both)
      for (const body of [
        '',
        'statement',
        statement({ authority_hints: undefined }),
        statement({ authority_hints: [] }),
        statement({ metadata: undefined }),
        statement({ metadata: { openid_provider: {} } }),
        statement({ sub: fixture.org.id }),
        statement({ iss: 'rp' }),
        statement({ exp: undefined }),
        statement({ jwks: { keys: [{ kty: 'oct', k: 'a', kid: 'a' }] } }),
        statement({ crit: ['x'] }),
        statement({}, { alg: 'HS256' }),
        statement({}, { alg: 'none' }),
        statement({}, { typ: 'at+jwt' }),
      ])
        expect(refusal(mediaType, body), body).toMatch(/^The request is not acceptable: [^"\\]+\.$/);
    expect(refusal(MEDIA_TYPE.jose, statement({}, { alg: 'EdDSA' }))).toContain('algorithm');
    for (const header of [
      { typ: 'JWT' },
      { kid: null },
      { trust_chain: [] },
      { trust_chain: 'x' },
      { peer_trust_chain: [] },
    ])
      expect(
        refusal(MEDIA_TYPE.entityStatementJwt, statement({}, header)),
        JSON.stringify(header),
      ).toBeDefined();
    const outsider = anEntity('https://other.example');
    const foreign = [
      signAs(outsider, { iss: outsider.id, sub: outsider.id, iat: NOW, exp: NOW + 1, jwks: outsider.jwks }),
      ...chain.slice(1),
    ];
    expect(refusal(MEDIA_TYPE.entityStatementJwt, statement({}, { trust_chain: foreign }))).toContain(
      'another entity',
    );
  });

  it('refuses bodies that are not a chain, and chains in two places', () => {
    const bodies = [
      '',
      '{}',
      '[]',
      'null',
      '[1]',
      '[[]]',
      '[{}]',
      '["x"]',
      JSON.stringify(statement()),
      '['.repeat(10_000),
    ];
    for (const body of [
      ...bodies,
      JSON.stringify([statement()]),
      JSON.stringify(Array.from({ length: 9 }, () => 'x')),
    ])
      expect(refusal(MEDIA_TYPE.trustChainJson, body), body).toBeDefined();
    const twice = [statement({}, { trust_chain: [...chain] }), ...chain.slice(1)];
    expect(refusal(MEDIA_TYPE.trustChainJson, JSON.stringify(twice))).toContain('header');
  });

  it('refuses other media types, and oversized bodies', () => {
    for (const mediaType of [
      'application/json',
      'application/jwt',
      '',
      'application/entity-statement+jwt; a=b',
    ])
      expect(refusal(mediaType, statement()), mediaType).toContain('media type');
    for (const mediaType of [MEDIA_TYPE.jose, MEDIA_TYPE.entityStatementJwt, MEDIA_TYPE.trustChainJson])
      expect(refusal(mediaType, 'x'.repeat(400_000))).toContain('too long');
  });

  it('throws no other error, whatever the input is', () => {
    const mediaTypes = fc.constantFrom(
      MEDIA_TYPE.jose,
      MEDIA_TYPE.entityStatementJwt,
      MEDIA_TYPE.trustChainJson,
    );
    const claims = fc.dictionary(fc.constantFrom('iss', 'aud', 'metadata', 'x'), fc.jsonValue());
    const bodies = fc.oneof(
      fc.string(),
      fc.json(),
      claims.map((changes) => statement(changes as JsonObject)),
      fc
        .jsonValue()
        .map((value) =>
          statement(
            {},
            { trust_chain: value as JsonObject[string], peer_trust_chain: value as JsonObject[string] },
          ),
        ),
    );
    fc.assert(
      fc.property(mediaTypes, bodies, (mediaType, body) => {
        try {
          read(mediaType, body);
        } catch (error) {
          expect(error).toMatchObject({ name: 'DomainError', code: 'invalid_request' });
        }
      }),
      { numRuns: 200 },
    );
  });
});
