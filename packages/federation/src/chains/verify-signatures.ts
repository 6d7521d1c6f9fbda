import type { PublicJwkSet } from '@vestibule/crypto';
import type { VerifiedConfiguration, VerifiedSubordinateStatement } from '../statements/entity-statement.js';
import { verifyConfiguration, verifySubordinateStatement } from '../statements/verify-statement.js';
import type { CandidateChain, ChainLink } from './candidate-chain.js';
import type { ChainTrace } from './chain-trace.js';

/** The statements of a chain, every signature checked. */
export interface VerifiedStatements {
  readonly subject: VerifiedConfiguration;
  /** The immediate superior's first. */
  readonly statements: readonly VerifiedSubordinateStatement[];
  readonly anchorConfiguration: VerifiedConfiguration | undefined;
}

/**
 * Verifies the signatures of a chain from the anchor down. The anchor's keys are the pinned ones; everybody else's
 * are those in the statement of the superior. The subject's own statement must stand under its own keys as well.
 * @throws FederationFailure `key_id` or `signature`.
 */
export async function verifySignatures(
  { subject, links }: CandidateChain,
  pinned: PublicJwkSet,
  trace: ChainTrace,
): Promise<VerifiedStatements> {
  let keys = pinned;
  let anchorConfiguration: VerifiedConfiguration | undefined;
  const statements: VerifiedSubordinateStatement[] = [];
  for (const [index, link] of [...links.entries()].toReversed()) {
    const isAnchor = index === links.length - 1;
    const configuration = await verifyOwnConfiguration(link, keys, (step) =>
      trace.check(isAnchor ? index + 2 : index + 1, 'signature', step),
    );
    if (isAnchor) anchorConfiguration = configuration;
    const verified = await trace.check(index + 1, 'signature', () =>
      verifySubordinateStatement(link.statement, keys),
    );
    statements.unshift(verified);
    keys = verified.jwks;
  }
  const vouchedFor = keys;
  const own = await trace.check(0, 'signature', async () => {
    await verifyConfiguration(subject, subject.jwks);
    return verifyConfiguration(subject, vouchedFor);
  });
  return { subject: own, statements, anchorConfiguration };
}

async function verifyOwnConfiguration(
  { configuration }: ChainLink,
  keys: PublicJwkSet,
  check: (step: () => Promise<VerifiedConfiguration>) => Promise<VerifiedConfiguration>,
): Promise<VerifiedConfiguration | undefined> {
  return configuration === undefined ? undefined : check(() => verifyConfiguration(configuration, keys));
}
