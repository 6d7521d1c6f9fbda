import type { EntityId } from '../entity-id.js';
import type { ParsedConfiguration, ParsedSubordinateStatement } from '../statements/entity-statement.js';

/** One step up a chain. */
export interface ChainLink {
  /** The statement of the superior about the entity below. */
  readonly statement: ParsedSubordinateStatement;
  /** The configuration of the superior; absent in given chains, except for that of the anchor. */
  readonly configuration: ParsedConfiguration | undefined;
}

/** Statements that may make a chain, none of them verified (OpenID Federation 1.0 section 4). */
export interface CandidateChain {
  readonly subject: ParsedConfiguration;
  /** The immediate superior first, the anchor last. */
  readonly links: readonly ChainLink[];
}

/** The entities of a chain, its subject first and the anchor last. */
export function entitiesOf({ subject, links }: CandidateChain): readonly EntityId[] {
  return [subject.subject, ...links.map(({ statement }) => statement.issuer)];
}
