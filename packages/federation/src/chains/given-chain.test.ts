import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { reasonOf, reportedReason } from '../testing/refusal.js';
import { anEntity, configurationClaims, NOW, signAs, type TestEntity } from '../testing/test-entity.js';
import { asGivenChain, SIGN, soundStatements, threeLevels, trustRules } from '../testing/three-levels.js';
import { entitiesOf } from './candidate-chain.js';
import { readGivenChain } from './given-chain.js';
import { evaluateGivenChain } from './resolve-trust.js';
import { parseTrustAnchors } from './trust-anchors.js';

const RULES = { profile: 'final', allowHosts: [] } as const;
const fixture = threeLevels();
const tokens = asGivenChain(soundStatements(fixture));

function refusalOf(value: unknown, submitted?: string) {
  return reasonOf(() => {
    const statement =
      submitted === undefined ? undefined : parseConfiguration(decodeStatement(submitted), RULES);
    readGivenChain(value, RULES, statement);
  });
}

describe('readGivenChain', () => {
  it('reads the statements in their order, with or without the configuration of the anchor', () => {
    const whole = readGivenChain(tokens, RULES);
    expect(entitiesOf(whole)).toEqual([fixture.leaf.id, fixture.org.id, fixture.anchor.id]);
    expect(whole.links.map(({ configuration }) => configuration?.subject)).toEqual([
      undefined,
      fixture.anchor.id,
    ]);
    const short = readGivenChain(tokens.slice(0, 3), RULES);
    expect(short.links.map(({ configuration }) => configuration)).toEqual([undefined, undefined]);
  });

  it('refuses anything but a short list of statements', () => {
    const [leaf = '', about = ''] = tokens;
    for (const value of [
      undefined,
      null,
      'chain',
      {},
      [],
      [leaf],
      [leaf, 1, about],
      [leaf, [about]],
      [leaf, leaf],
    ])
      expect(refusalOf(value), JSON.stringify(value)).toBe('given_chain');
    expect(refusalOf([leaf, ...Array.from({ length: 7 }, () => about)])).toBeUndefined();
    expect(refusalOf([leaf, ...Array.from({ length: 8 }, () => about)])).toBe('given_chain');
    expect(refusalOf([leaf, ...Array.from({ length: 3 }, () => 'x'.repeat(50_000))])).toBe('given_chain');
    expect(refusalOf([leaf, 'x'.repeat(65_537)])).toBe('malformed_statement');
    const rest = (131_072 - leaf.length) / 2;
    const filling = [leaf, 'x'.repeat(Math.floor(rest)), 'x'.repeat(Math.ceil(rest))];
    expect(refusalOf(filling)).toBe('malformed_statement');
    expect(refusalOf([...filling, 'x'])).toBe('given_chain');
    expect(refusalOf([about, leaf])).toBe('unexpected_statement');
    expect(refusalOf([tokens[0], tokens[3], tokens[2]])).toBe('unexpected_statement');
  });

  it('refuses statements that themselves contain chains', () => {
    for (const header of [{ trust_chain: [] }, { peer_trust_chain: [] }]) {
      expect(refusalOf([SIGN.leaf(fixture, {}, header), ...tokens.slice(1)])).toBe('header');
      expect(refusalOf([...tokens.slice(0, 3), SIGN.anchor(fixture, {}, header)])).toBe('header');
    }
  });

  it('replaces the first statement by the submitted one if both are about the same entity', () => {
    const submitted = SIGN.leaf(fixture, { aud: 'https://op.example' }, { trust_chain: [...tokens] });
    const statement = parseConfiguration(decodeStatement(submitted), RULES);
    expect(readGivenChain(tokens, RULES, statement).subject).toBe(statement);
    const replaced = [SIGN.leaf(fixture, {}, { trust_chain: [] }), ...tokens.slice(1)];
    expect(readGivenChain(replaced, RULES, statement).subject).toBe(statement);
    const other = anEntity('https://other.example');
    expect(refusalOf(tokens, signAs(other, configurationClaims(other)))).toBe('given_chain');
  });

  it('throws only FederationFailure', () => {
    const token = fc.constantFrom(...tokens, 'x', 'a.b.c');
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(token, { maxLength: 9 })), (value) => {
        refusalOf(value);
      }),
    );
  });
});

it('a given chain is refused if it contains an entity twice', async () => {
  const { leaf, org } = fixture;
  const loop = [
    SIGN.leaf(fixture),
    SIGN.aboutLeaf(fixture),
    signAs(leaf, {
      ...JSON.parse(Buffer.from(SIGN.aboutLeaf(fixture).split('.')[1] ?? '', 'base64url').toString()),
      iss: leaf.id,
      sub: org.id,
      jwks: org.jwks,
    }),
    SIGN.aboutLeaf(fixture),
    SIGN.aboutOrg(fixture),
  ];
  const resolution = await evaluateGivenChain(
    readGivenChain(loop, RULES),
    trustRules(fixture, { maxPathLength: 9 }),
  );
  expect(resolution.paths[0]).toMatchObject({ trusted: false, reason: 'loop' });
  expect(resolution.chosen).toBeUndefined();
});

it('a chain of the draft profile needs neither types nor key identifiers', async () => {
  const bare = { typ: null, kid: null };
  const older = [
    SIGN.leaf(fixture, {}, bare),
    SIGN.aboutLeaf(fixture, {}, bare),
    SIGN.aboutOrg(fixture, {}, bare),
  ];
  const evaluate = async (given: readonly string[]) =>
    (
      await evaluateGivenChain(
        readGivenChain(given, { profile: 'draft', allowHosts: [] }),
        trustRules(fixture),
      )
    ).chosen;
  expect(await evaluate(older)).toBeDefined();
  expect(
    await evaluate([...older.slice(0, 2), SIGN.aboutOrg(fixture, {}, bare, fixture.outsider)]),
  ).toBeUndefined();
  expect(refusalOf(older)).toBe('wrong_type');
});

it('a given chain proves trust marks only if it contains the configuration of the anchor', async () => {
  const { leaf, anchor } = fixture;
  const claims = { iss: anchor.id, sub: leaf.id, trust_mark_type: 'open', iat: NOW };
  const marks = [{ trust_mark_type: 'open', trust_mark: signAs(anchor, claims, { typ: 'trust-mark+jwt' }) }];
  const whole = [
    SIGN.leaf(fixture, { trust_marks: marks }),
    ...tokens.slice(1, 3),
    SIGN.anchor(fixture, { trust_mark_issuers: { open: [] } }),
  ];
  const evaluate = (given: readonly string[], type = 'open') =>
    evaluateGivenChain(readGivenChain(given, RULES), trustRules(fixture, { requiredMarks: [[type]] }));
  expect((await evaluate(whole)).chosen).toBeDefined();
  for (const refused of [await evaluate(whole.slice(0, 3)), await evaluate(whole, 'other')]) {
    expect(refused.chosen).toBeUndefined();
    expect(refused.paths).toMatchObject([{ trusted: false }]);
    expect(refused.paths.map(reportedReason)).toEqual(['trust_mark']);
  }
  const unclaimed = await evaluate(whole, 'other');
  expect(unclaimed.paths[0]?.statements.flatMap(({ checks }) => checks)).toEqual([]);
});

it('a given chain is limited to the trust mark issuers that it contains, and causes no fetch', async () => {
  const { leaf, org, outsider } = fixture;
  const markedBy = async (issuer: TestEntity, times: { readonly exp?: number }) => {
    const claims = { iss: issuer.id, sub: leaf.id, trust_mark_type: 'open', iat: NOW, ...times };
    const mark = signAs(issuer, claims, { typ: 'trust-mark+jwt' });
    const given = [
      SIGN.leaf(fixture, { trust_marks: [{ trust_mark_type: 'open', trust_mark: mark }] }),
      ...tokens.slice(1, 3),
      SIGN.anchor(fixture, { trust_mark_issuers: { open: [] } }),
    ];
    const rules = trustRules(fixture, { requiredMarks: [['open']] });
    const { paths } = await evaluateGivenChain(readGivenChain(given, RULES), rules);
    return paths[0]?.trustMarks?.map(({ accepted, reason }) => [accepted, reason]);
  };
  for (const times of [{}, { exp: NOW + 60 }]) {
    expect(await markedBy(outsider, times)).toEqual([[false, 'unresolvable']]);
    // The issuer is in the chain, but its confirmation would need a fetch.
    expect(await markedBy(org, times)).toEqual([[false, 'trust_mark_unconfirmed']]);
  }
});

describe('parseTrustAnchors', () => {
  it('reads anchors in their order', () => {
    const configured = { [fixture.org.id]: fixture.org.jwks, [fixture.anchor.id]: fixture.anchor.jwks };
    expect([...parseTrustAnchors(configured).keys()]).toEqual([fixture.org.id, fixture.anchor.id]);
    expect(parseTrustAnchors({ 'http://localhost:1': fixture.org.jwks }, ['localhost']).size).toBe(1);
  });

  it('refuses invalid anchors', () => {
    for (const [value, problem] of [
      [undefined, 'must be an object of entity identifiers and JWK sets'],
      [{}, 'must be an object of entity identifiers and JWK sets'],
      [[], 'must be an object of entity identifiers and JWK sets'],
      ['https://anchor.example', 'must be an object of entity identifiers and JWK sets'],
      [{ anchor: fixture.anchor.jwks }, 'names an anchor that is not an entity identifier'],
      [{ [fixture.anchor.id]: { keys: [] } }, 'holds a key set without a usable key'],
      [{ [fixture.anchor.id]: 'https://anchor.example/jwks' }, 'holds a malformed key set: '],
    ] as const)
      expect(() => parseTrustAnchors(value), JSON.stringify(value)).toThrow(new RegExp(`^${problem}`));
    expect(() => parseTrustAnchors(null)).toThrow(TypeError);
  });
});
