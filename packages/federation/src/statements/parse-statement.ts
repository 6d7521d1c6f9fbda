import { type MetadataPolicy, PolicyFailure, parseMetadataPolicy } from '@vestibule/metadata/policy';
import type { JsonValue } from '@vestibule/protocol/json';
import { EMPTY_CONSTRAINTS, parseConstraints } from '../constraints/constraints.js';
import { FederationFailure, failureOfPolicy } from '../federation-failure.js';
import { PROFILE_RULES, type StatementRules } from '../profile.js';
import type {
  EntityConfigurationContent,
  ParsedConfiguration,
  ParsedSubordinateStatement,
  SubordinateStatementContent,
  UnverifiedStatement,
} from './entity-statement.js';
import { readStatedMarks, readTrustMarkIssuers, readTrustMarkOwners } from './stated-trust-marks.js';
import {
  claimOf,
  readAudience,
  readEndpoint,
  readEntities,
  readKeySet,
  readMetadata,
  requireEntity,
  requireTime,
} from './statement-claims.js';
import { requireStatementHeader } from './statement-header.js';

/** Claims that are permitted only in subordinate statements (OpenID Federation 1.0 section 3.1.3). */
const SUBORDINATE_CLAIMS = ['constraints', 'metadata_policy', 'source_endpoint', 'trust_anchor'];

/** Claims that are permitted only in entity configurations (OpenID Federation 1.0 section 3.1.2). */
const CONFIGURATION_CLAIMS = [
  'authority_hints',
  'trust_anchor_hints',
  'trust_marks',
  'trust_mark_issuers',
  'trust_mark_owners',
  'trust_anchor',
];

/** Only the recipient of a registration request may be an audience (OpenID Federation 1.0 section 3.1.1). */
const AUDIENCE = 'aud';

/**
 * Parses the configuration of an entity; `iss` and `sub` are the same.
 * @throws FederationFailure if the statement violates the rules of its profile.
 * @see OpenID Federation 1.0 section 3.2, federation/API.md#entity-statement
 */
export function parseConfiguration(
  statement: UnverifiedStatement,
  rules: StatementRules,
): ParsedConfiguration {
  const { claims } = statement;
  const { allowHosts } = rules;
  const common = readCommonClaims(statement, rules, SUBORDINATE_CLAIMS);
  if (common.issuer !== common.subject)
    throw new FederationFailure('unexpected_statement', 'iss and sub differ in an entity configuration');
  const anchor = claimOf(claims, 'trust_anchor_id');
  if (PROFILE_RULES[rules.profile].isStrict)
    requireAnchorHints(claimOf(claims, 'trust_anchor_hints'), allowHosts);
  const content: EntityConfigurationContent = {
    kind: 'configuration',
    ...common,
    authorityHints: readHints(claimOf(claims, 'authority_hints'), allowHosts),
    trustMarks: readStatedMarks(claimOf(claims, 'trust_marks'), rules),
    trustMarkIssuers: readTrustMarkIssuers(claimOf(claims, 'trust_mark_issuers'), rules),
    trustMarkOwners: readTrustMarkOwners(claimOf(claims, 'trust_mark_owners'), rules),
    audience: readAudience(claims),
    requestedAnchor: anchor === undefined ? undefined : requireEntity(claims, 'trust_anchor_id', allowHosts),
  };
  return content as ParsedConfiguration;
}

/**
 * Parses the statement of a superior about an entity below it; `iss` and `sub` differ.
 * @throws FederationFailure if the statement violates the rules of its profile.
 * @see OpenID Federation 1.0 section 3.2
 */
export function parseSubordinateStatement(
  statement: UnverifiedStatement,
  rules: StatementRules,
): ParsedSubordinateStatement {
  const { claims } = statement;
  const common = readCommonClaims(statement, rules, [...CONFIGURATION_CLAIMS, AUDIENCE]);
  if (common.issuer === common.subject)
    throw new FederationFailure(
      'unexpected_statement',
      'iss and sub are the same in a subordinate statement',
    );
  if (PROFILE_RULES[rules.profile].isStrict) requireSourceEndpoint(claimOf(claims, 'source_endpoint'), rules);
  const policy = claimOf(claims, 'metadata_policy');
  const constraints = claimOf(claims, 'constraints');
  const content: SubordinateStatementContent = {
    kind: 'subordinate',
    ...common,
    policy: policy === undefined ? undefined : readPolicy(policy),
    constraints: constraints === undefined ? EMPTY_CONSTRAINTS : parseConstraints(constraints),
  };
  return content as ParsedSubordinateStatement;
}

function readPolicy(claim: JsonValue): MetadataPolicy {
  try {
    return parseMetadataPolicy(claim);
  } catch (error) {
    throw error instanceof PolicyFailure ? failureOfPolicy(error) : error;
  }
}

function readCommonClaims(
  statement: UnverifiedStatement,
  { profile, allowHosts }: StatementRules,
  misplaced: readonly string[],
) {
  const { token, header, claims } = statement;
  const { needsKeyIds, isStrict } = PROFILE_RULES[profile];
  requireStatementHeader(header, profile);
  requireNothingCritical(statement);
  const foreign = isStrict ? misplaced.find((name) => Object.hasOwn(claims, name)) : undefined;
  if (foreign !== undefined)
    throw new FederationFailure('claims', `${foreign} must not be in a statement of this kind`);
  return {
    token,
    profile,
    header,
    claims,
    issuer: requireEntity(claims, 'iss', allowHosts),
    subject: requireEntity(claims, 'sub', allowHosts),
    issuedAt: requireTime(claims, 'iat'),
    expiresAt: requireTime(claims, 'exp'),
    jwks: readKeySet(claimOf(claims, 'jwks'), needsKeyIds),
    metadata: readMetadata(claimOf(claims, 'metadata')),
  };
}

/** No claims and operators beyond those of the specification are supported, so none may be critical. */
function requireNothingCritical({ claims }: UnverifiedStatement): void {
  if (Object.hasOwn(claims, 'crit'))
    throw new FederationFailure('critical_claim', 'crit names claims that are not understood');
  if (Object.hasOwn(claims, 'metadata_policy_crit'))
    throw new FederationFailure(
      'critical_operator',
      'metadata_policy_crit names operators that are not understood',
    );
}

/** The trust anchors of an entity are not used here, but must be well-formed. */
function requireAnchorHints(value: JsonValue | undefined, allowHosts: readonly string[]): void {
  if (value === undefined) return;
  if (readEntities('trust_anchor_hints', value, allowHosts, 'claims').length === 0)
    throw new FederationFailure('claims', 'trust_anchor_hints is empty');
}

function requireSourceEndpoint(value: JsonValue | undefined, { allowHosts }: StatementRules): void {
  if (value !== undefined && readEndpoint(value, allowHosts) === undefined)
    throw new FederationFailure('claims', 'source_endpoint is not the https URL of a fetch endpoint');
}

function readHints(value: JsonValue | undefined, allowHosts: readonly string[]) {
  if (value === undefined) return [];
  const hints = readEntities('authority_hints', value, allowHosts, 'authority_hints');
  if (hints.length === 0) throw new FederationFailure('authority_hints', 'authority_hints is empty');
  return hints;
}
