import { describe, expect, it } from 'vitest';
import type { FederationReason } from '../federation-failure.js';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { reasonOf, reportedReason } from '../testing/refusal.js';
import { SINGLE_DEFECTS } from '../testing/single-defects.js';
import { LIFETIME, NOW } from '../testing/test-entity.js';
import {
  asGivenChain,
  SIGN,
  type Statements,
  served,
  soundStatements,
  type ThreeLevels,
  threeLevels,
  trustRules,
} from '../testing/three-levels.js';
import { DEFAULT_DISCOVERY_LIMITS } from './discovery-ports.js';
import type { TrustRules } from './evaluate-path.js';
import { explainResolution, type TrustExplanation } from './explain-resolution.js';
import { readGivenChain } from './given-chain.js';
import { evaluateGivenChain, resolveTrust } from './resolve-trust.js';
import { createStatementReader } from './statement-reader.js';

const RP = 'openid_relying_party';
const STATEMENT_RULES = { profile: 'final', allowHosts: [] } as const;
/** Resolves the chain from the leaf, over the served statements. */
async function discovered(
  fixture: ThreeLevels,
  statements: Statements,
  rules: TrustRules,
): Promise<TrustExplanation> {
  const places = served(fixture, statements);
  const limits = DEFAULT_DISCOVERY_LIMITS;
  const clock = { nowMs: () => rules.now * 1000 };
  const reader = createStatementReader({
    fetch: async (address) => places.get(address),
    clock,
    limits,
    rules: STATEMENT_RULES,
    signal: new AbortController().signal,
  });
  const subject = parseConfiguration(decodeStatement(statements.leaf), STATEMENT_RULES);
  return explainResolution(await resolveTrust(subject, rules, { reader, limits, isExhaustive: false }));
}

/** Validates a chain that came with a request. */
async function given(statements: Statements, rules: TrustRules): Promise<TrustExplanation> {
  return explainResolution(
    await evaluateGivenChain(readGivenChain(asGivenChain(statements), STATEMENT_RULES), rules),
  );
}

/** The reason of the refusal, at whatever step; `undefined` if it is trusted. */
async function refusalOf(evaluate: () => Promise<TrustExplanation>): Promise<FederationReason | undefined> {
  try {
    const explanation = await evaluate();
    return explanation.trusted ? undefined : reportedReason(explanation);
  } catch (error) {
    return reasonOf(() => {
      throw error;
    });
  }
}

describe('a chain of three levels', () => {
  it('is trusted without defects, discovered and given, with and without the configuration of the anchor', async () => {
    const fixture = threeLevels();
    const statements = soundStatements(fixture);
    const expected = {
      trusted: true,
      chain: [fixture.leaf.id, fixture.org.id, fixture.anchor.id],
      expiresAt: NOW + LIFETIME,
    };
    expect(await discovered(fixture, statements, trustRules(fixture))).toMatchObject(expected);
    expect(await given(statements, trustRules(fixture))).toMatchObject({ ...expected, fetches: 0 });
    const short = readGivenChain(asGivenChain(statements).slice(0, 3), STATEMENT_RULES);
    expect(explainResolution(await evaluateGivenChain(short, trustRules(fixture)))).toMatchObject(expected);
  });

  it('is trusted at the limits of the rules', async () => {
    const fixture = threeLevels();
    const statements = {
      ...soundStatements(fixture),
      leaf: SIGN.leaf(fixture, { iat: NOW + 30, exp: NOW + 31 }),
      aboutLeaf: SIGN.aboutLeaf(fixture, {
        constraints: { max_path_length: 0, naming_constraints: { permitted: ['.example.com'] } },
      }),
      aboutOrg: SIGN.aboutOrg(fixture, { constraints: { max_path_length: 1, allowed_entity_types: [RP] } }),
    };
    for (const evaluate of [
      discovered(fixture, statements, trustRules(fixture, { maxPathLength: 1 })),
      given(statements, trustRules(fixture, { maxPathLength: 1, requestedAnchor: fixture.anchor.id })),
    ])
      expect(await evaluate).toMatchObject({ trusted: true, expiresAt: NOW + 31 });
  });

  it.each(SINGLE_DEFECTS.map((defect) => [defect.title, defect] as const))(
    'is refused with one defect: %s',
    async (_title, { spoil, rules, reason, discoveryOnly, given: other }) => {
      const fixture = threeLevels();
      const statements = { ...soundStatements(fixture), ...spoil(fixture) };
      const changed = trustRules(fixture, rules?.(fixture));
      const found = await refusalOf(() => discovered(fixture, statements, changed));
      if (other === undefined) expect(found).toBe(reason);
      else expect(found).toBeDefined();
      const evaluated = await refusalOf(() => given(statements, changed));
      expect(evaluated).toBe(discoveryOnly === true ? undefined : (other ?? reason));
    },
  );
});
