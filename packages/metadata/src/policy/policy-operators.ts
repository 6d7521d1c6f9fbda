import { isJsonObject, type JsonValue } from '@vestibule/protocol/json';
import { PolicyFailure } from './policy-failure.js';
import { canonicalScope, isScope, scopeWords } from './scope-values.js';

/** Standard operators in the order of application (OpenID Federation 1.0 section 6.1.3.1). */
export const POLICY_OPERATORS = [
  'value',
  'add',
  'default',
  'one_of',
  'subset_of',
  'superset_of',
  'essential',
] as const;

/** Name of a standard operator. */
export type PolicyOperator = (typeof POLICY_OPERATORS)[number];

/** Operators of one parameter, with `scope` lists and strings in canonical form. */
export interface ParameterPolicy {
  /** `null` removes the parameter. */
  readonly value?: JsonValue;
  readonly add?: readonly JsonValue[];
  readonly default?: JsonValue;
  readonly one_of?: readonly JsonValue[];
  readonly subset_of?: readonly JsonValue[];
  readonly superset_of?: readonly JsonValue[];
  readonly essential?: boolean;
}

/**
 * Parses the operand of an operator.
 * @throws PolicyFailure `policy_malformed` when the operator does not take this type.
 */
export function readOperand(
  parameter: string,
  operator: PolicyOperator,
  operand: JsonValue | undefined,
): JsonValue {
  const canonical = isScope(parameter) ? canonicalOperand(operator, operand) : operand;
  if (canonical === undefined || !isOperand(operator, canonical))
    throw new PolicyFailure('policy_malformed', `the operand of ${operator} is not of a type that it takes`);
  return canonical;
}

function isOperand(operator: PolicyOperator, operand: JsonValue): boolean {
  if (operator === 'value') return true;
  if (operator === 'default') return operand !== null;
  if (operator === 'essential') return typeof operand === 'boolean';
  return Array.isArray(operand) && operand.every(isListMember);
}

function isListMember(value: JsonValue): boolean {
  return typeof value === 'string' || typeof value === 'number' || isJsonObject(value);
}

/** `scope` is processed as a list of words, however the operand is written. */
function canonicalOperand(operator: PolicyOperator, operand: JsonValue | undefined): JsonValue | undefined {
  if (operator === 'essential' || operand === undefined || operand === null) return operand;
  if (operator === 'value' || operator === 'default') return scopeWords(operand)?.toSorted();
  if (operator !== 'one_of') return scopeWords(operand);
  if (!Array.isArray(operand)) return undefined;
  const alternatives = operand.map((alternative) => scopeWords(alternative));
  return alternatives.includes(undefined)
    ? undefined
    : alternatives.map((words) => canonicalScope(words ?? []));
}
