import { isSameJson, type JsonValue } from '@vestibule/protocol/json';
import { asPolicy, type MetadataPolicy } from './metadata-policy.js';
import { requireAllowedCombinations } from './operator-combinations.js';
import { ofParameter, PolicyFailure } from './policy-failure.js';
import { type ParameterPolicy, POLICY_OPERATORS, type PolicyOperator } from './policy-operators.js';
import { intersection, union } from './value-sets.js';

/** One merge of two operands. */
export interface PolicyMergeStep {
  readonly entityType: string;
  readonly parameter: string;
  readonly operator: PolicyOperator;
  readonly superior: JsonValue;
  readonly subordinate: JsonValue;
  /** Absent if the two cannot be merged. */
  readonly merged?: JsonValue;
}

/** The result of merging two policies, with its steps. `failure` is `policy_conflict` or `policy_malformed`. */
export type PolicyMerge =
  | { readonly ok: true; readonly policy: MetadataPolicy; readonly steps: readonly PolicyMergeStep[] }
  | { readonly ok: false; readonly failure: PolicyFailure; readonly steps: readonly PolicyMergeStep[] };

/**
 * Merges the policy of a subordinate into that of its superior (OpenID Federation 1.0 section 6.1.4.1). The result
 * permits nothing that the superior's does not. Merging is associative. Only operators that both have make a step.
 */
export function mergePolicies(superior: MetadataPolicy, subordinate: MetadataPolicy): PolicyMerge {
  const steps: PolicyMergeStep[] = [];
  try {
    const policy = mergeMaps(superior, subordinate, (above, below, entityType) =>
      mergeMaps(above, below, (one, other, parameter) =>
        ofParameter(parameter, () =>
          mergeParameter(
            one,
            other,
            (step) => {
              steps.push({ entityType, parameter, ...step });
            },
            parameter,
          ),
        ),
      ),
    );
    return { ok: true, policy: asPolicy(policy), steps };
  } catch (failure) {
    if (failure instanceof PolicyFailure) return { ok: false, failure, steps };
    throw failure;
  }
}

/** Merges entries that both maps have, and copies the others. */
function mergeMaps<Value>(
  superior: ReadonlyMap<string, Value>,
  subordinate: ReadonlyMap<string, Value>,
  merge: (superior: Value, subordinate: Value, name: string) => Value,
): ReadonlyMap<string, Value> {
  const merged = new Map(superior);
  for (const [name, below] of subordinate) {
    const above = superior.get(name);
    merged.set(name, above === undefined ? below : merge(above, below, name));
  }
  return merged;
}

type OperatorStep = Omit<PolicyMergeStep, 'entityType' | 'parameter'>;

function mergeParameter(
  superior: ParameterPolicy,
  subordinate: ParameterPolicy,
  record: (step: OperatorStep) => void,
  parameter: string,
): ParameterPolicy {
  const operands = POLICY_OPERATORS.flatMap((operator) => {
    const [above, below] = [superior[operator], subordinate[operator]];
    if (above === undefined || below === undefined) {
      // `null` is an operand too.
      const only = above === undefined ? below : above;
      return only === undefined ? [] : [[operator, only] as const];
    }
    const merged = mergeOperands(operator, above, below);
    record({ operator, superior: above, subordinate: below, ...(merged === undefined ? {} : { merged }) });
    if (merged === undefined)
      throw new PolicyFailure('policy_conflict', `the operands of ${operator} cannot be merged`);
    return [[operator, merged] as const];
  });
  const policy: ParameterPolicy = Object.fromEntries(operands);
  requireAllowedCombinations(parameter, policy);
  return policy;
}

/** Returns the operand that is as strict as both; `undefined` if there is none. */
function mergeOperands(
  operator: PolicyOperator,
  superior: JsonValue,
  subordinate: JsonValue,
): JsonValue | undefined {
  if (operator === 'essential') return superior === true || subordinate === true;
  if (operator === 'value' || operator === 'default')
    return isSameJson(superior, subordinate) ? superior : undefined;
  if (!Array.isArray(superior) || !Array.isArray(subordinate)) return undefined;
  if (operator === 'add' || operator === 'superset_of') return union(superior, subordinate);
  const common = intersection(superior, subordinate);
  return operator === 'one_of' && common.length === 0 ? undefined : common;
}
