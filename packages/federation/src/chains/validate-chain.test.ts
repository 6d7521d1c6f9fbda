import { describe, expect, it } from 'vitest';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration, parseSubordinateStatement } from '../statements/parse-statement.js';
import { configurationClaims, LIFETIME, NOW, signAs } from '../testing/test-entity.js';
import { SIGN, type Statements, soundStatements, threeLevels, trustRules } from '../testing/three-levels.js';
import type { CandidateChain } from './candidate-chain.js';
import { type ChainRules, validateChain } from './validate-chain.js';

const RULES = { profile: 'final', allowHosts: [] } as const;
const fixture = threeLevels();
const { leaf, org, anchor, outsider } = fixture;

const configuration = (token: string) => parseConfiguration(decodeStatement(token), RULES);
const subordinate = (token: string) => parseSubordinateStatement(decodeStatement(token), RULES);

/** The chain of three levels as discovered, with the configuration of every superior. */
function discovered(changes: Partial<Statements> = {}): CandidateChain {
  const statements = { ...soundStatements(fixture), ...changes };
  return {
    subject: configuration(statements.leaf),
    links: [
      { statement: subordinate(statements.aboutLeaf), configuration: configuration(statements.org) },
      { statement: subordinate(statements.aboutOrg), configuration: configuration(statements.anchor) },
    ],
  };
}

const evaluate = async (chain: CandidateChain, changes: Partial<ChainRules> = {}) =>
  (await validateChain(chain, trustRules(fixture, changes))).report;

describe('validateChain', () => {
  it('returns the verified statements, the anchor and the expiry of a valid chain', async () => {
    const verdict = await validateChain(
      discovered({ aboutOrg: SIGN.aboutOrg(fixture, { exp: NOW + 9 }) }),
      trustRules(fixture),
    );
    if (!verdict.ok) throw verdict.failure;
    const { chain, report } = verdict;
    expect(chain.entities).toEqual([leaf.id, org.id, anchor.id]);
    expect(chain.statements.map(({ issuer }) => issuer)).toEqual([org.id, anchor.id]);
    expect([chain.anchor, chain.anchorConfiguration?.subject, chain.expiresAt]).toEqual([
      anchor.id,
      anchor.id,
      NOW + 9,
    ]);
    expect([report.trusted, report.expiresAt, report.reason, report.failedAt]).toEqual([
      true,
      NOW + 9,
      undefined,
      undefined,
    ]);
  });

  it('reports issuer, subject, times and key of every statement', async () => {
    const { statements } = await evaluate(discovered());
    const times = { issuedAt: NOW, expiresAt: NOW + LIFETIME, algorithm: 'ES256' };
    expect(statements.map(({ checks: _checks, ...statement }) => statement)).toEqual([
      { kind: 'configuration', issuer: leaf.id, subject: leaf.id, keyId: leaf.kid, ...times },
      { kind: 'subordinate', issuer: org.id, subject: leaf.id, keyId: org.kid, ...times },
      { kind: 'subordinate', issuer: anchor.id, subject: org.id, keyId: anchor.kid, ...times },
      { kind: 'configuration', issuer: anchor.id, subject: anchor.id, keyId: anchor.kid, ...times },
    ]);
    const older = { profile: 'draft', allowHosts: [] } as const;
    const nameless = parseConfiguration(decodeStatement(SIGN.leaf(fixture, {}, { kid: null })), older);
    const [first] = (await evaluate({ ...discovered(), subject: nameless })).statements;
    expect(first).toBeDefined();
    expect(first).not.toHaveProperty('keyId');
  });

  it('refuses a superior that the configuration of the subordinate does not name', async () => {
    const silent = SIGN.org(fixture, { authority_hints: [outsider.id] });
    expect(await evaluate(discovered({ org: silent }))).toMatchObject({
      trusted: false,
      reason: 'not_a_superior',
      failedAt: { issuer: anchor.id, subject: org.id },
    });
  });

  it('names the statement with the invalid signature of a superior', async () => {
    const forged = SIGN.org(fixture, {}, { kid: org.kid }, outsider);
    expect(await evaluate(discovered({ org: forged }))).toMatchObject({
      reason: 'signature',
      failedAt: { issuer: org.id, subject: leaf.id },
    });
  });

  it('passes on errors that are not about the chain', async () => {
    const anchors = new Map();
    anchors.get = () => {
      throw new RangeError('a mistake of ours');
    };
    await expect(evaluate(discovered(), { anchors })).rejects.toThrow(RangeError);
  });

  it('does not accept the statement of another entity as that of a superior', async () => {
    const foreign = signAs(outsider, configurationClaims(outsider, { authority_hints: [anchor.id] }));
    expect(await evaluate(discovered({ org: foreign }))).toMatchObject({ reason: 'unexpected_statement' });
    const foreignAnchor = signAs(outsider, configurationClaims(outsider));
    expect(await evaluate(discovered({ anchor: foreignAnchor }))).toMatchObject({
      reason: 'unexpected_statement',
    });
  });

  it('trusts no entity by itself, not even anchors', async () => {
    for (const subject of [leaf, anchor]) {
      const alone = { subject: configuration(signAs(subject, configurationClaims(subject))), links: [] };
      expect(await evaluate(alone)).toMatchObject({ trusted: false, reason: 'unknown_anchor' });
    }
  });

  it('counts intermediates, and requires an entity type only if one is given', async () => {
    expect((await evaluate(discovered(), { maxPathLength: 1 })).trusted).toBe(true);
    expect((await evaluate(discovered(), { maxPathLength: 0 })).reason).toBe('path_too_long');
    const provider = { ...trustRules(fixture), entityType: 'openid_provider' };
    expect((await validateChain(discovered(), provider)).report.reason).toBe('metadata');
    const { entityType: _any, ...any } = provider;
    expect((await validateChain(discovered(), any)).report.trusted).toBe(true);
  });

  it('names the statement whose policy could not be merged, and the subject if it does not comply', async () => {
    const policy = (value: string) => ({ metadata_policy: { openid_relying_party: { a: { value } } } });
    const conflict = discovered({
      aboutOrg: SIGN.aboutOrg(fixture, policy('x')),
      aboutLeaf: SIGN.aboutLeaf(fixture, policy('y')),
    });
    const report = await evaluate(conflict);
    expect(report.failedAt).toEqual({ issuer: org.id, subject: leaf.id });
    expect(report.metadata?.steps).toEqual([]);
    expect(report.metadata?.merges).toEqual([
      {
        entityType: 'openid_relying_party',
        parameter: 'a',
        operator: 'value',
        superior: 'x',
        subordinate: 'y',
      },
    ]);
    const essential = { metadata_policy: { openid_relying_party: { a: { essential: true } } } };
    expect((await evaluate(discovered({ aboutLeaf: SIGN.aboutLeaf(fixture, essential) }))).failedAt).toEqual({
      issuer: leaf.id,
      subject: leaf.id,
    });
  });
});
