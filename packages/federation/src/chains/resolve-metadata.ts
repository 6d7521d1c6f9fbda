import {
  applyPolicy,
  EMPTY_POLICY,
  type EntityMetadata,
  type MetadataPolicy,
  mergePolicies,
  type PolicyMergeStep,
  policyToJson,
} from '@vestibule/metadata/policy';
import { allowedMetadata } from '../constraints/check-constraints.js';
import { FederationFailure, failureOfPolicy } from '../federation-failure.js';
import type { VerifiedConfiguration, VerifiedSubordinateStatement } from '../statements/entity-statement.js';
import type { MetadataReport, StatementPlace } from './chain-report.js';
import { withSuperiorMetadata } from './superior-metadata.js';

/** Result of resolving the metadata of the subject of a chain. */
export type MetadataResolution =
  | { readonly ok: true; readonly metadata: EntityMetadata; readonly report: MetadataReport }
  | {
      readonly ok: false;
      readonly failure: FederationFailure;
      readonly failedAt: StatementPlace;
      readonly report: MetadataReport;
    };

/**
 * Resolves the metadata of the subject of a chain: the metadata of the immediate superior over its own, without the
 * entity types that a superior does not allow, under the policies of all superiors merged from the top down.
 * @param statements That of the immediate superior first.
 * @param entityType The entity type that must remain, if one is required.
 * @see OpenID Federation 1.0 sections 6.1.4 and 6.2.3
 */
export function resolveMetadata(
  subject: VerifiedConfiguration,
  statements: readonly VerifiedSubordinateStatement[],
  entityType?: string,
): MetadataResolution {
  const own = subject.metadata;
  const overridden = overriddenMetadata(own, statements);
  const merge = mergeAll(statements);
  const base = { own, overridden, merges: merge.steps };
  if (merge.failure !== undefined)
    return { ok: false, failure: merge.failure, failedAt: merge.failedAt, report: { ...base, steps: [] } };
  const applied = applyPolicy(merge.policy, overridden);
  const report = { ...base, policy: policyToJson(merge.policy), steps: applied.steps };
  const failedAt = { issuer: subject.issuer, subject: subject.subject };
  if (!applied.ok) return { ok: false, failure: failureOfPolicy(applied.failure), failedAt, report };
  const { metadata } = applied;
  if (entityType !== undefined && !Object.hasOwn(metadata, entityType))
    return { ok: false, failure: missingType(own, entityType), failedAt, report };
  return { ok: true, metadata, report: { ...report, resolved: metadata } };
}

function overriddenMetadata(
  own: EntityMetadata,
  statements: readonly VerifiedSubordinateStatement[],
): EntityMetadata {
  const overridden = withSuperiorMetadata(own, statements[0]?.metadata ?? {});
  return statements.reduce((metadata, { constraints }) => allowedMetadata(constraints, metadata), overridden);
}

function missingType(own: EntityMetadata, entityType: string): FederationFailure {
  return Object.hasOwn(own, entityType)
    ? new FederationFailure('entity_type', 'a superior does not allow the entity type')
    : new FederationFailure('metadata', 'the entity has no metadata of the type that is needed');
}

type Merged =
  | {
      readonly failure: undefined;
      readonly policy: MetadataPolicy;
      readonly steps: readonly PolicyMergeStep[];
    }
  | {
      readonly failure: FederationFailure;
      readonly failedAt: StatementPlace;
      readonly steps: readonly PolicyMergeStep[];
    };

function mergeAll(statements: readonly VerifiedSubordinateStatement[]): Merged {
  let policy = EMPTY_POLICY;
  const steps: PolicyMergeStep[] = [];
  for (const statement of statements.toReversed()) {
    if (statement.policy === undefined) continue;
    const merge = mergePolicies(policy, statement.policy);
    steps.push(...merge.steps);
    const failedAt = { issuer: statement.issuer, subject: statement.subject };
    if (!merge.ok) return { failure: failureOfPolicy(merge.failure), failedAt, steps };
    policy = merge.policy;
  }
  return { failure: undefined, policy, steps };
}
