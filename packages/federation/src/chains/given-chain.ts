import { FederationFailure } from '../federation-failure.js';
import type { StatementRules } from '../profile.js';
import { decodeStatement } from '../statements/decode-statement.js';
import type { ParsedConfiguration, UnverifiedStatement } from '../statements/entity-statement.js';
import { parseConfiguration, parseSubordinateStatement } from '../statements/parse-statement.js';
import { requireNoChainHeader } from '../statements/statement-header.js';
import type { CandidateChain } from './candidate-chain.js';

/** Maximum number of statements of a given chain, including the configuration of the anchor. */
export const MAX_GIVEN_STATEMENTS = 8;

/** Maximum length of a given chain, in characters over all statements. */
export const MAX_GIVEN_LENGTH = 131_072;

/**
 * Parses a chain that came with a request: a list of statements, the first of which is that of the subject. The
 * configuration of the anchor may be left out at the end. Lengths are checked before anything is decoded.
 * @param submitted The statement that replaces the first one, which must be about the same entity.
 * @throws FederationFailure `given_chain`, or the reason why one of its statements is malformed
 */
export function readGivenChain(
  value: unknown,
  rules: StatementRules,
  submitted?: ParsedConfiguration,
): CandidateChain {
  const [first, ...superiors] = requireTokens(value).map((token) => decodeStatement(token));
  if (first === undefined) throw malformed();
  const own = parseConfiguration(first, rules);
  if (submitted === undefined) requireNoChainHeader(first.header);
  if (submitted !== undefined && own.subject !== submitted.subject)
    throw new FederationFailure('given_chain', 'the chain is about another entity');
  for (const { header } of superiors) requireNoChainHeader(header);
  const last = superiors.at(-1);
  const anchor = last !== undefined && isAboutItself(last) ? parseConfiguration(last, rules) : undefined;
  const statements = (anchor === undefined ? superiors : superiors.slice(0, -1)).map((statement) =>
    parseSubordinateStatement(statement, rules),
  );
  if (statements.length === 0) throw malformed();
  return {
    subject: submitted ?? own,
    links: statements.map((statement, index) => ({
      statement,
      configuration: index === statements.length - 1 ? anchor : undefined,
    })),
  };
}

function requireTokens(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_GIVEN_STATEMENTS) throw malformed();
  const tokens = value.filter((item) => typeof item === 'string');
  const length = tokens.reduce((sum, token) => sum + token.length, 0);
  if (tokens.length < value.length || length > MAX_GIVEN_LENGTH) throw malformed();
  return tokens;
}

function isAboutItself({ claims }: UnverifiedStatement): boolean {
  return claims['iss'] === claims['sub'];
}

function malformed(): FederationFailure {
  return new FederationFailure('given_chain', 'the chain is not a short list of statements');
}
