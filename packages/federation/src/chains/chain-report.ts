import type { EntityMetadata, PolicyMergeStep, PolicyStep } from '@vestibule/metadata/policy';
import type { EpochSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { EntityId } from '../entity-id.js';
import type { FederationReason } from '../federation-failure.js';
import type { ParsedConfiguration, ParsedSubordinateStatement } from '../statements/entity-statement.js';
import type { TrustMarkReport } from '../trust-marks/required-trust-marks.js';
import { type CandidateChain, entitiesOf } from './candidate-chain.js';

/** The checks of a statement, in the order in which they are made. */
export const STATEMENT_CHECKS = [
  /** It is about the entity below. */
  'linked',
  /** Its issuer is among the superiors that the entity below names. */
  'superior_named',
  /** It has not expired and was not issued in the future. */
  'alive',
  /** The path below its issuer is within its constraints. */
  'constraints',
  /** It was signed with a key in the statement above it, or in the configured anchor keys. */
  'signature',
] as const;

/** The name of a check. */
export type StatementCheck = (typeof STATEMENT_CHECKS)[number];

/** A statement of a path, and the checks that it passed; a check that was not reached is not listed. */
export interface StatementReport {
  readonly kind: 'configuration' | 'subordinate';
  readonly issuer: EntityId;
  readonly subject: EntityId;
  readonly issuedAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  readonly algorithm: string;
  readonly keyId?: string;
  /** The `metadata_policy` of a subordinate statement, as received. */
  readonly policy?: JsonObject;
  /** The `constraints` of a subordinate statement, as received. */
  readonly constraints?: JsonObject;
  readonly checks: readonly { readonly check: StatementCheck; readonly passed: boolean }[];
}

/** The steps that led to the metadata of the subject. */
export interface MetadataReport {
  /** The metadata in the configuration of the entity. */
  readonly own: EntityMetadata;
  /** After the metadata of the immediate superior, and without entity types that are not allowed. */
  readonly overridden?: EntityMetadata;
  readonly merges: readonly PolicyMergeStep[];
  /** The merged policy. */
  readonly policy?: JsonObject;
  readonly steps: readonly PolicyStep[];
  readonly resolved?: EntityMetadata;
}

/** The statement that caused a failure. */
export interface StatementPlace {
  readonly issuer: EntityId;
  readonly subject: EntityId;
}

/** Report on one path that was tried, as plain values that can be serialized as JSON. */
export interface PathReport {
  /** The subject first. */
  readonly entities: readonly EntityId[];
  readonly trusted: boolean;
  /** The reason why the path is refused. */
  readonly reason?: FederationReason;
  readonly detail?: string;
  readonly failedAt?: StatementPlace;
  readonly statements: readonly StatementReport[];
  readonly metadata?: MetadataReport;
  readonly trustMarks?: readonly TrustMarkReport[];
  /** Expiry of the chain: the earliest of its statements and of the required trust marks. */
  readonly expiresAt?: EpochSeconds;
}

/**
 * The statements of a chain in order: that of the subject, those of its superiors, and the configuration of the anchor
 * if there is one.
 */
export function statementsOf(
  chain: CandidateChain,
): readonly (ParsedConfiguration | ParsedSubordinateStatement)[] {
  const anchor = chain.links.at(-1)?.configuration;
  const superiors = chain.links.map(({ statement }) => statement);
  return [chain.subject, ...superiors, ...(anchor === undefined ? [] : [anchor])];
}

/** A path that was abandoned before its chain was complete. */
export function abandonedPath(
  chain: CandidateChain,
  tried: EntityId | undefined,
  failure: { readonly reason: FederationReason; readonly message: string },
): PathReport {
  const entities = entitiesOf(chain);
  const below = entities.at(-1) ?? chain.subject.subject;
  return {
    entities: tried === undefined ? entities : [...entities, tried],
    trusted: false,
    reason: failure.reason,
    detail: failure.message,
    failedAt: { issuer: tried ?? below, subject: below },
    statements: statementsOf(chain).map((statement) => ({ ...describeStatement(statement), checks: [] })),
  };
}

/** The report on a statement that was not checked. */
export function describeStatement({
  kind,
  issuer,
  subject,
  issuedAt,
  expiresAt,
  header,
  claims,
}: ParsedConfiguration | ParsedSubordinateStatement) {
  const keyId = header.kid === undefined ? {} : { keyId: header.kid };
  const rules = kind === 'subordinate' ? statedRules(claims) : {};
  return { kind, issuer, subject, issuedAt, expiresAt, algorithm: header.alg, ...keyId, ...rules };
}

function statedRules({ metadata_policy: policy, constraints }: JsonObject) {
  return {
    ...(isJsonObject(policy) && { policy }),
    ...(isJsonObject(constraints) && { constraints }),
  };
}
