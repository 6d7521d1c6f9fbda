import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { EntityTypePolicy, MetadataPolicy } from './metadata-policy.js';
import { comparable } from './operator-combinations.js';
import { ofParameter, PolicyFailure } from './policy-failure.js';
import { type ParameterPolicy, POLICY_OPERATORS, type PolicyOperator } from './policy-operators.js';
import { isScope, scopeWords } from './scope-values.js';
import { contains, intersection, isSubset, union } from './value-sets.js';

/** One operator applied to one parameter. */
export interface PolicyStep {
  readonly entityType: string;
  readonly parameter: string;
  readonly operator: PolicyOperator;
  readonly operand: JsonValue;
  /** Absent if the parameter was absent. */
  readonly before?: JsonValue;
  /** Absent if the parameter is absent or the step failed. */
  readonly after?: JsonValue;
  readonly passed: boolean;
}

/** Metadata by entity type (OpenID Federation 1.0 section 5). */
export type EntityMetadata = Readonly<Record<string, JsonObject>>;

/** The result of applying a policy, with its steps. `failure` is `policy_violation`. */
export type PolicyApplication =
  | { readonly ok: true; readonly metadata: EntityMetadata; readonly steps: readonly PolicyStep[] }
  | { readonly ok: false; readonly failure: PolicyFailure; readonly steps: readonly PolicyStep[] };

/**
 * Applies a policy to the entity types that metadata has (OpenID Federation 1.0 section 6.1.4.2). Every operator of
 * every parameter makes a step, up to the first failure.
 */
export function applyPolicy(policy: MetadataPolicy, metadata: EntityMetadata): PolicyApplication {
  const steps: PolicyStep[] = [];
  try {
    const applied = Object.entries(metadata).map(([entityType, members]) => {
      const record: Recorder = (step) => {
        steps.push({ entityType, ...step });
      };
      return [entityType, applyToType(policy.get(entityType) ?? new Map(), members, record)] as const;
    });
    return { ok: true, metadata: Object.fromEntries(applied), steps };
  } catch (failure) {
    if (failure instanceof PolicyFailure) return { ok: false, failure, steps };
    throw failure;
  }
}

type ParameterStep = Omit<PolicyStep, 'entityType'>;
type Recorder = (step: ParameterStep) => void;

function applyToType(policy: EntityTypePolicy, members: JsonObject, record: Recorder): JsonObject {
  const result = new Map(Object.entries(members));
  for (const [parameter, operators] of policy) {
    const value = ofParameter(parameter, () =>
      applyToParameter(parameter, operators, result.get(parameter), record),
    );
    if (value === undefined) result.delete(parameter);
    else result.set(parameter, value);
  }
  return Object.fromEntries(result);
}

/** `scope` is processed as a list of words and written back as a string. */
function applyToParameter(
  parameter: string,
  policy: ParameterPolicy,
  given: JsonValue | undefined,
  record: Recorder,
): JsonValue | undefined {
  let current = isScope(parameter) && given !== undefined ? wordsOf(given) : given;
  for (const operator of POLICY_OPERATORS) {
    const operand = policy[operator];
    if (operand === undefined) continue;
    const before = current;
    const step = { parameter, operator, operand, ...(before === undefined ? {} : { before }) };
    try {
      current = OPERATIONS[operator](before, operand, parameter);
    } catch (failure) {
      record({ ...step, passed: false });
      throw failure;
    }
    record({ ...step, ...(current === undefined ? {} : { after: current }), passed: true });
  }
  return isScope(parameter) && Array.isArray(current) ? current.join(' ') : current;
}

function wordsOf(scope: JsonValue): JsonValue {
  const words = typeof scope === 'string' ? scopeWords(scope) : undefined;
  if (words === undefined) throw violation('scope is not a text');
  return words;
}

type Operation = (
  current: JsonValue | undefined,
  operand: JsonValue,
  parameter: string,
) => JsonValue | undefined;

const OPERATIONS: Readonly<Record<PolicyOperator, Operation>> = {
  value: (_current, operand) => (operand === null ? undefined : operand),
  add: (current, operand) => union(requireList(current ?? [], 'add'), requireList(operand, 'add')),
  default: (current, operand) => current ?? operand,
  one_of: (current, operand, parameter) => {
    if (current === undefined) return undefined;
    if (!contains(requireList(operand, 'one_of'), comparable(parameter, current)))
      throw violation('the value is not among those of one_of');
    return current;
  },
  subset_of: (current, operand) =>
    current === undefined
      ? undefined
      : intersection(requireList(current, 'subset_of'), requireList(operand, 'subset_of')),
  superset_of: (current, operand) => {
    if (current === undefined) return undefined;
    if (!isSubset(operand, requireList(current, 'superset_of')))
      throw violation('a value of superset_of is missing');
    return current;
  },
  essential: (current, operand) => {
    if (operand === true && current === undefined) throw violation('an essential parameter is missing');
    return current;
  },
};

function requireList(value: JsonValue, operator: PolicyOperator): readonly JsonValue[] {
  if (!Array.isArray(value)) throw violation(`the value is not a list, as ${operator} needs it`);
  return value;
}

function violation(detail: string): PolicyFailure {
  return new PolicyFailure('policy_violation', detail);
}
