import type { JsonValue } from '@vestibule/protocol/json';
import { PolicyFailure } from './policy-failure.js';
import { type ParameterPolicy, POLICY_OPERATORS } from './policy-operators.js';
import { canonicalScope, isScope } from './scope-values.js';
import { contains, isSubset } from './value-sets.js';

/** Whether two operands may be combined; the operator that is applied first comes first. */
type Combination = (earlier: JsonValue, later: JsonValue) => boolean;

const always: Combination = () => true;

/** The permitted combinations (OpenID Federation 1.0 section 6.1.3.1); all others are forbidden. */
const ALLOWED: ReadonlyMap<string, Combination> = new Map([
  ['value add', (value, add) => isSubset(add, value)],
  ['value default', (value) => value !== null],
  ['value one_of', (value, oneOf) => Array.isArray(oneOf) && contains(oneOf, value)],
  ['value subset_of', isSubset],
  ['value superset_of', (value, superset) => isSubset(superset, value)],
  ['value essential', (value, essential) => value !== null || essential !== true],
  ['add default', always],
  ['add subset_of', isSubset],
  ['add superset_of', always],
  ['add essential', always],
  ['default one_of', always],
  ['default subset_of', always],
  ['default superset_of', always],
  ['default essential', always],
  ['one_of essential', always],
  ['subset_of superset_of', (subset, superset) => isSubset(superset, subset)],
  ['subset_of essential', always],
  ['superset_of essential', always],
]);

/**
 * Checks that the operators of a parameter may be combined.
 * @throws PolicyFailure `policy_malformed`.
 */
export function requireAllowedCombinations(parameter: string, policy: ParameterPolicy): void {
  const given = POLICY_OPERATORS.flatMap((operator) => {
    const operand = policy[operator];
    return operand === undefined ? [] : [{ operator, operand }];
  });
  for (const [index, earlier] of given.entries())
    for (const later of given.slice(index + 1)) {
      const combination = ALLOWED.get(`${earlier.operator} ${later.operator}`);
      const operand = later.operator === 'one_of' ? comparable(parameter, earlier.operand) : earlier.operand;
      if (combination === undefined || !combination(operand, later.operand))
        throw new PolicyFailure(
          'policy_malformed',
          `${earlier.operator} and ${later.operator} cannot stand together with these operands`,
        );
    }
}

/** Writes a value like the alternatives of `one_of`: those of `scope` are strings. */
export function comparable(parameter: string, value: JsonValue): JsonValue {
  return isScope(parameter) && Array.isArray(value) ? canonicalScope(value) : value;
}
