import { commonKeys, type PublicJwkSet } from '@vestibule/crypto/public-keys';
import type { EntityId } from '../entity-id.js';
import type {
  ParsedConfiguration,
  VerifiedConfiguration,
  VerifiedSubordinateStatement,
} from '../statements/entity-statement.js';
import { verifyConfiguration, verifySubordinateStatement } from '../statements/verify-statement.js';
import type { CandidateChain } from './candidate-chain.js';
import type { ChainTrace } from './chain-trace.js';

/** The statements of a chain, every signature checked. */
export interface VerifiedStatements {
  readonly subject: VerifiedConfiguration;
  /** That of the immediate superior first. */
  readonly statements: readonly VerifiedSubordinateStatement[];
  readonly anchorConfiguration: VerifiedConfiguration | undefined;
  /** The keys under which the signatures of each entity of the chain verify. */
  readonly keys: ReadonlyMap<EntityId, PublicJwkSet>;
  /** The configurations of the entities of the chain, as far as there are any. */
  readonly configurations: ReadonlyMap<EntityId, VerifiedConfiguration>;
}

/**
 * Verifies the signatures of a chain from the anchor down. An entity signs with a key that is both in its superior's
 * statement and in its own configuration, if there is one: a key that either has dropped is no longer accepted. The
 * pinned keys of the anchor take the place of a superior's statement about it.
 * @throws FederationFailure `key_id` or `signature`.
 * @see OpenID Federation 1.0 sections 3.2 and 10.2
 */
export async function verifySignatures(
  { subject, links }: CandidateChain,
  pinned: PublicJwkSet,
  trace: ChainTrace,
): Promise<VerifiedStatements> {
  let vouchedFor = pinned;
  let anchorConfiguration: VerifiedConfiguration | undefined;
  const keys = new Map<EntityId, PublicJwkSet>();
  const configurations = new Map<EntityId, VerifiedConfiguration>();
  const statements: VerifiedSubordinateStatement[] = [];
  for (const [index, { statement, configuration }] of [...links.entries()].toReversed()) {
    const isAnchor = index === links.length - 1;
    const ofIssuer = signingKeys(vouchedFor, configuration);
    keys.set(statement.issuer, ofIssuer);
    if (configuration !== undefined) {
      const own = await trace.check(isAnchor ? index + 2 : index + 1, 'signature', () =>
        verifyConfiguration(configuration, ofIssuer),
      );
      configurations.set(statement.issuer, own);
      if (isAnchor) anchorConfiguration = own;
    }
    const verified = await trace.check(index + 1, 'signature', () =>
      verifySubordinateStatement(statement, ofIssuer),
    );
    statements.unshift(verified);
    vouchedFor = verified.jwks;
  }
  const ofSubject = signingKeys(vouchedFor, subject);
  keys.set(subject.subject, ofSubject);
  const own = await trace.check(0, 'signature', () => verifyConfiguration(subject, ofSubject));
  configurations.set(subject.subject, own);
  return { subject: own, statements, anchorConfiguration, keys, configurations };
}

/** The keys that an entity signs with. */
function signingKeys(
  vouchedFor: PublicJwkSet,
  configuration: Pick<ParsedConfiguration, 'jwks'> | undefined,
): PublicJwkSet {
  return configuration === undefined ? vouchedFor : commonKeys(vouchedFor, configuration.jwks);
}
