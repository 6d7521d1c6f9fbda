import type { JsonObject } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FederationFailure, type FederationReason } from '../federation-failure.js';
import type { Profile } from '../profile.js';
import { reasonOf } from '../testing/refusal.js';
import {
  anEntity,
  type Changes,
  configurationClaims,
  NOW,
  signAs,
  subordinateClaims,
} from '../testing/test-entity.js';
import { decodeStatement } from './decode-statement.js';
import { parseConfiguration, parseSubordinateStatement } from './parse-statement.js';
import { requireTime } from './statement-claims.js';

const superior = anEntity('https://org.example');
const leaf = anEntity('https://rp.example');
const markIssuer = anEntity('https://marks.example');
const HINTS = { authority_hints: [superior.id] };

type Options = { readonly profile?: Profile; readonly header?: JsonObject };

function configuration(changes: Changes = {}, { profile = 'final', header = {} }: Options = {}) {
  const token = signAs(leaf, configurationClaims(leaf, { ...HINTS, ...changes }), header);
  return parseConfiguration(decodeStatement(token), { profile, allowHosts: [] });
}

function subordinate(changes: Changes = {}, { profile = 'final', header = {} }: Options = {}) {
  const token = signAs(superior, subordinateClaims(superior, leaf, changes), header);
  return parseSubordinateStatement(decodeStatement(token), { profile, allowHosts: [] });
}

const both = [configuration, subordinate];

describe('entity statements', () => {
  it('are parsed with all their claims', () => {
    const mark = signAs(
      markIssuer,
      { trust_mark_type: 'https://marks.example/a' },
      { typ: 'trust-mark+jwt' },
    );
    const read = configuration({
      metadata: { openid_relying_party: { redirect_uris: ['https://rp.example/cb'] }, federation_entity: {} },
      trust_marks: [{ trust_mark_type: 'https://marks.example/a', trust_mark: mark }],
      trust_mark_issuers: { a: [], b: [markIssuer.id] },
      trust_mark_owners: { b: { sub: markIssuer.id, jwks: markIssuer.jwks, other: 1 } },
      aud: 'https://op.example',
      trust_anchor_id: superior.id,
    });
    expect(read).toMatchObject({
      kind: 'configuration',
      issuer: leaf.id,
      subject: leaf.id,
      issuedAt: NOW,
      authorityHints: [superior.id],
      metadata: { openid_relying_party: { redirect_uris: ['https://rp.example/cb'] }, federation_entity: {} },
      trustMarks: [{ type: 'https://marks.example/a', token: mark }],
      audience: ['https://op.example'],
      requestedAnchor: superior.id,
    });
    expect([...read.trustMarkIssuers]).toEqual([
      ['a', []],
      ['b', [markIssuer.id]],
    ]);
    expect(read.trustMarkOwners.get('b')?.subject).toBe(markIssuer.id);
    const about = subordinate({
      metadata_policy: { openid_relying_party: { contacts: { essential: true } } },
      constraints: { max_path_length: 0 },
      source_endpoint: 'https://org.example/fetch',
    });
    expect(about).toMatchObject({ kind: 'subordinate', issuer: superior.id, subject: leaf.id });
    expect(about.constraints).toEqual({ maxPathLength: 0 });
    expect(about.policy?.size).toBe(1);
  });

  it('need none of the optional claims', () => {
    const read = configuration({ authority_hints: undefined, metadata: undefined });
    expect(read).toMatchObject({ authorityHints: [], metadata: {}, trustMarks: [] });
    expect(read).toMatchObject({ audience: undefined, requestedAnchor: undefined });
    expect(subordinate()).toMatchObject({ policy: undefined, constraints: {} });
  });

  it('are refused without a required claim, or with one of another type', () => {
    const bad: readonly (readonly [Changes, FederationReason])[] = [
      [{ iss: undefined }, 'claims'],
      [{ iss: 'rp.example' }, 'claims'],
      [{ iss: 'http://rp.example' }, 'claims'],
      [{ sub: undefined }, 'claims'],
      [{ sub: [leaf.id] }, 'claims'],
      [{ iat: undefined }, 'claims'],
      [{ iat: String(NOW) }, 'claims'],
      [{ iat: String(NOW) }, 'claims'],
      [{ exp: undefined }, 'claims'],
      [{ exp: Number.MAX_SAFE_INTEGER }, 'claims'],
      [{ exp: 2 ** 53 }, 'malformed_statement'],
      [{ exp: null }, 'claims'],
      [{ exp: -1 }, 'claims'],
      [{ jwks: undefined }, 'key_set'],
      [{ jwks: { keys: 'none' } }, 'key_set'],
      [{ jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'a' }] } }, 'key_set'],
      [{ metadata: [] }, 'metadata'],
      [{ metadata: 'none' }, 'metadata'],
      [{ crit: ['jti'], jti: 'a' }, 'critical_claim'],
      [{ crit: [] }, 'critical_claim'],
      [{ metadata_policy_crit: ['regexp'] }, 'critical_operator'],
      [{ trust_anchor: superior.id }, 'claims'],
    ];
    for (const parse of both)
      for (const [changes, reason] of bad)
        expect(
          reasonOf(() => parse(changes)),
          JSON.stringify(changes),
        ).toBe(reason);
  });

  it('are refused with claims of the other kind', () => {
    for (const name of ['constraints', 'metadata_policy', 'source_endpoint'])
      expect(
        reasonOf(() => configuration({ [name]: {} })),
        name,
      ).toBe('claims');
    const own = [
      'authority_hints',
      'trust_anchor_hints',
      'trust_marks',
      'trust_mark_issuers',
      'trust_mark_owners',
    ];
    for (const name of own)
      expect(
        reasonOf(() => subordinate({ [name]: [] })),
        name,
      ).toBe('claims');
  });

  it('are not accepted as the other kind', () => {
    expect(reasonOf(() => configuration({ sub: superior.id }))).toBe('unexpected_statement');
    expect(reasonOf(() => subordinate({ sub: superior.id }))).toBe('unexpected_statement');
  });

  it('require a type, an algorithm and a key identifier', () => {
    const bad: readonly (readonly [JsonObject, FederationReason])[] = [
      [{ typ: null }, 'wrong_type'],
      [{ typ: 'JWT' }, 'wrong_type'],
      [{ typ: 'trust-mark+jwt' }, 'wrong_type'],
      [{ typ: 'explicit-registration-response+jwt' }, 'wrong_type'],
      [{ alg: 'none' }, 'algorithm'],
      [{ alg: 'HS256' }, 'algorithm'],
      [{ alg: 'ES256K' }, 'algorithm'],
      [{ kid: null }, 'key_id'],
      [{ kid: '' }, 'key_id'],
    ];
    for (const parse of both)
      for (const [header, reason] of bad)
        expect(
          reasonOf(() => parse({}, { header })),
          JSON.stringify(header),
        ).toBe(reason);
    for (const header of [{ alg: 'EdDSA' }, { alg: 'Ed25519' }, { alg: 'PS512' }, { alg: 'RS256' }])
      expect(configuration({}, { header }).header.alg).toBe(header.alg);
  });

  it('require an identifier of every key in the final profile', () => {
    const [jwk] = leaf.jwks['keys'] as JsonObject[];
    for (const kid of [undefined, '']) {
      const { kid: _kid, ...nameless } = jwk ?? {};
      const jwks = { keys: [kid === undefined ? nameless : { ...nameless, kid }] };
      expect(reasonOf(() => configuration({ jwks }))).toBe('key_set');
      const mixed = { keys: [...(superior.jwks['keys'] as JsonObject[]), ...jwks.keys] };
      expect(reasonOf(() => configuration({ jwks: mixed }))).toBe('key_set');
    }
  });

  it('never have an empty or ill-typed list of superiors', () => {
    for (const hints of [[], 'https://org.example', ['org.example'], [1], [null], {}])
      expect(
        reasonOf(() => configuration({ authority_hints: hints })),
        JSON.stringify(hints),
      ).toBe('authority_hints');
  });

  it('have trust marks of the types that are listed with them', () => {
    const [mark, untyped] = [signAs(markIssuer, { trust_mark_type: 'a' }), signAs(markIssuer, {})];
    const stated = { trust_mark_type: 'a', trust_mark: mark };
    expect(configuration({ trust_marks: Array.from({ length: 32 }, () => stated) }).trustMarks).toHaveLength(
      32,
    );
    for (const marks of [
      'none',
      [1],
      [null],
      [{ trust_mark: untyped }],
      [{ trust_mark_type: 'b', trust_mark: mark }],
      [{ trust_mark_type: 'a' }],
      [{ trust_mark: mark }],
      [{ trust_mark_type: 'a', trust_mark: 'mark' }],
      Array.from({ length: 33 }, () => stated),
    ])
      expect(
        reasonOf(() => configuration({ trust_marks: marks })),
        JSON.stringify(marks),
      ).toBe('claims');
    const bad: readonly (readonly [Changes, FederationReason])[] = [
      [{ trust_mark_issuers: [] }, 'claims'],
      [{ trust_mark_issuers: { a: 'x' } }, 'claims'],
      [{ trust_mark_issuers: { a: ['x'] } }, 'claims'],
      [{ trust_mark_owners: 'a' }, 'claims'],
      [{ trust_mark_owners: { a: [] } }, 'claims'],
      [{ trust_mark_owners: { a: { jwks: leaf.jwks } } }, 'claims'],
      [{ trust_mark_owners: { a: { sub: leaf.id } } }, 'key_set'],
    ];
    for (const [changes, reason] of bad)
      expect(
        reasonOf(() => configuration(changes)),
        JSON.stringify(changes),
      ).toBe(reason);
  });

  it('require a valid trust_anchor_id and a valid aud', () => {
    expect(reasonOf(() => configuration({ trust_anchor_id: 'anchor' }))).toBe('claims');
    for (const aud of [1, [1], {}]) expect(reasonOf(() => configuration({ aud }))).toBe('claims');
  });

  it('follow looser rules in the draft profile, and are never signed with EdDSA there', () => {
    const profile = 'draft';
    for (const alg of ['EdDSA', 'Ed25519'])
      expect(reasonOf(() => configuration({}, { profile, header: { alg } }))).toBe('algorithm');
    for (const typ of [null, 'JWT', 'entity-statement+jwt'])
      expect(configuration({}, { profile, header: { typ } }).profile).toBe('draft');
    for (const typ of ['logout+jwt', 'at+jwt', 'trust-mark+jwt', ''])
      expect(reasonOf(() => configuration({}, { profile, header: { typ } }))).toBe('wrong_type');
    expect(configuration({}, { profile, header: { kid: null } }).header.kid).toBeUndefined();
    expect(reasonOf(() => configuration({}, { profile, header: { kid: '' } }))).toBe('key_id');
    expect(configuration({ constraints: {} }, { profile }).subject).toBe(leaf.id);
    expect(configuration({ trust_marks: [{ id: 'a', trust_mark: 'x' }] }, { profile }).trustMarks).toEqual(
      [],
    );
    const { kid: _kid, ...nameless } = (leaf.jwks['keys'] as JsonObject[])[0] ?? {};
    expect(configuration({ jwks: { keys: [nameless] } }, { profile }).jwks.usableKeys).toHaveLength(1);
  });

  // OpenID Federation 1.0 section 3.3, figure "Example Entity Statement JWT Claims Set": critical extensions.
  it('are refused with critical extensions, none of which is supported (Example Entity Statement JWT Claims Set)', () => {
    const policy = { openid_provider: { op_policy_uri: { regexp: '^https:' } } };
    const example = { metadata_policy: policy, constraints: { max_path_length: 2 }, jti: '7l2lncFdY6SlhNia' };
    expect(subordinate(example).constraints.maxPathLength).toBe(2);
    expect(reasonOf(() => subordinate({ ...example, crit: ['jti'] }))).toBe('critical_claim');
    expect(reasonOf(() => subordinate({ ...example, metadata_policy_crit: ['regexp'] }))).toBe(
      'critical_operator',
    );
  });

  it('treat a null member of metadata and of trust_mark_issuers as absent, and no other null', () => {
    const metadata = { openid_provider: null, openid_relying_party: { scope: null, contacts: ['a'] } };
    const present = { openid_relying_party: { contacts: ['a'] } };
    expect(configuration({ metadata }).metadata).toEqual(present);
    expect(subordinate({ metadata }).metadata).toEqual(present);
    const issuers = configuration({ trust_mark_issuers: { a: null, b: [] } }).trustMarkIssuers;
    expect([...issuers]).toEqual([['b', []]]);
    expect(reasonOf(() => subordinate({ constraints: { allowed_entity_types: null } }))).toBe('constraints');
    const policy = { openid_relying_party: { scope: null } };
    expect(reasonOf(() => subordinate({ metadata_policy: policy }))).toBe('policy_malformed');
  });

  it('are refused if a policy or constraints are malformed', () => {
    expect(reasonOf(() => subordinate({ metadata_policy: [] }))).toBe('policy_malformed');
    expect(reasonOf(() => subordinate({ constraints: { max_path_length: -1 } }))).toBe('constraints');
  });
});

describe('decodeStatement', () => {
  it('refuses anything that is not a signed JWT, is too long, or repeats a member', () => {
    const bad = [
      '',
      'a.b.c',
      'x'.repeat(65_537),
      signAs(leaf, '{"iss":"https://a.example","iss":"https://b.example"}'),
      signAs(leaf, '[]'),
      signAs(leaf, configurationClaims(leaf), { crit: ['exp'] }),
      `${signAs(leaf, configurationClaims(leaf))}.x`,
    ];
    for (const token of bad)
      expect(
        reasonOf(() => decodeStatement(token)),
        token,
      ).toBe('malformed_statement');
    const long = signAs(leaf, configurationClaims(leaf, { filler: 'x'.repeat(50_000) }));
    expect(reasonOf(() => decodeStatement(long))).toBe('malformed_statement');
  });

  it('passes on errors that are not about the statement', () => {
    expect(() => decodeStatement(undefined as never)).toThrow(TypeError);
    const claims = Object.defineProperty({}, 'iat', {
      get: () => {
        throw new RangeError('a mistake of ours');
      },
    });
    expect(() => requireTime(claims, 'iat')).toThrow(RangeError);
  });

  it('throws only FederationFailure, as does parsing its result', () => {
    const names = [
      'iss',
      'sub',
      'iat',
      'jwks',
      'metadata',
      'authority_hints',
      'trust_marks',
      'metadata_policy',
    ];
    const claims = fc.dictionary(
      fc.constantFrom(...names, 'crit', 'constraints', 'aud', 'x'),
      fc.jsonValue(),
    );
    const tokens = fc.oneof(
      fc.string(),
      claims.map((given) => signAs(leaf, given as JsonObject)),
    );
    const likely = claims.map((given) =>
      signAs(leaf, { ...configurationClaims(leaf), ...(given as JsonObject) }),
    );
    fc.assert(
      fc.property(fc.oneof(tokens, likely), fc.constantFrom<Profile>('final', 'draft'), (token, profile) => {
        const rules = { profile, allowHosts: [] };
        for (const parse of [parseConfiguration, parseSubordinateStatement])
          try {
            parse(decodeStatement(token), rules);
          } catch (error) {
            expect(error).toBeInstanceOf(FederationFailure);
          }
      }),
      { numRuns: 200 },
    );
  });
});
