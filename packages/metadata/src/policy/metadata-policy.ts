import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';
import { requireAllowedCombinations } from './operator-combinations.js';
import { ofParameter, PolicyFailure } from './policy-failure.js';
import { type ParameterPolicy, POLICY_OPERATORS, readOperand } from './policy-operators.js';

declare const policyBrand: unique symbol;

/** The policies of the parameters of one entity type, by parameter name. */
export type EntityTypePolicy = ReadonlyMap<string, ParameterPolicy>;

/**
 * A well-formed metadata policy by entity type: only standard operators, with operands of the right type, in permitted
 * combinations (OpenID Federation 1.0 section 6.1).
 */
export type MetadataPolicy = ReadonlyMap<string, EntityTypePolicy> & { readonly [policyBrand]: true };

/** A policy without operators. */
export const EMPTY_POLICY: MetadataPolicy = asPolicy(new Map());

/**
 * Parses a `metadata_policy` claim. Other than standard operators are left out; `metadata_policy_crit` decides whether
 * that is acceptable.
 * @throws PolicyFailure `policy_malformed`.
 */
export function parseMetadataPolicy(claim: unknown): MetadataPolicy {
  const entityTypes = requireObject(claim, 'metadata_policy is not an object');
  return asPolicy(
    new Map(
      Object.entries(entityTypes).map(([entityType, parameters]) => [entityType, readParameters(parameters)]),
    ),
  );
}

/** Serializes a policy, with `scope` values as lists. */
export function policyToJson(policy: ReadonlyMap<string, EntityTypePolicy>): JsonObject {
  return Object.fromEntries(
    [...policy].map(([entityType, parameters]) => [
      entityType,
      Object.fromEntries([...parameters].map(([name, operators]) => [name, { ...operators }])),
    ]),
  );
}

/** Brands a policy assembled from well-formed parts. */
export function asPolicy(policy: ReadonlyMap<string, EntityTypePolicy>): MetadataPolicy {
  return policy as MetadataPolicy;
}

function readParameters(value: JsonValue): EntityTypePolicy {
  const parameters = requireObject(value, 'the policy of an entity type is not an object');
  return new Map(
    Object.entries(parameters).map(([name, operators]) => [
      name,
      ofParameter(name, () => readOperators(name, operators)),
    ]),
  );
}

function readOperators(parameter: string, value: JsonValue): ParameterPolicy {
  const operators = requireObject(value, 'the policy is not an object');
  const given = POLICY_OPERATORS.filter((operator) => Object.hasOwn(operators, operator));
  const policy: ParameterPolicy = Object.fromEntries(
    given.map((operator) => [operator, readOperand(parameter, operator, operators[operator])]),
  );
  requireAllowedCombinations(parameter, policy);
  return policy;
}

function requireObject(value: unknown, detail: string): JsonObject {
  if (!isJsonObject(value)) throw new PolicyFailure('policy_malformed', detail);
  return value;
}
