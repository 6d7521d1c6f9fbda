import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { failureReason } from '../testing/policy-refusal.js';
import { mergePolicies } from './merge-policies.js';
import { asPolicy, EMPTY_POLICY, parseMetadataPolicy, policyToJson } from './metadata-policy.js';

const TYPE = 'openid_relying_party';

function merge(superior: JsonObject, subordinate: JsonObject, parameter = 'p') {
  return mergePolicies(
    parseMetadataPolicy({ [TYPE]: { [parameter]: superior } }),
    parseMetadataPolicy({ [TYPE]: { [parameter]: subordinate } }),
  );
}

/** Two policies for one parameter merged; the reason if they cannot be merged. */
function merged(superior: JsonObject, subordinate: JsonObject, parameter = 'p'): JsonValue {
  const result = merge(superior, subordinate, parameter);
  if (!result.ok) return failureReason(result.failure);
  return (policyToJson(result.policy)[TYPE] as JsonObject)[parameter] ?? null;
}

describe('mergePolicies, operator by operator', () => {
  const ROWS: readonly (readonly [
    operator: string,
    superior: JsonValue,
    subordinate: JsonValue,
    merged: JsonValue,
  ])[] = [
    ['value', 'a', 'a', 'a'],
    ['value', null, null, null],
    ['value', ['a', 'b'], ['a', 'b'], ['a', 'b']],
    ['value', { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 2 }],
    ['value', 'a', 'b', 'policy_conflict'],
    ['value', 'a', null, 'policy_conflict'],
    ['value', ['a'], ['a', 'b'], 'policy_conflict'],
    ['value', 1, '1', 'policy_conflict'],
    ['add', ['a'], ['b', 'a'], ['a', 'b']],
    ['add', [{ a: 1 }], [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
    ['add', [], [1], [1]],
    ['default', 'a', 'a', 'a'],
    ['default', false, false, false],
    ['default', 'a', 'b', 'policy_conflict'],
    ['default', ['a'], [], 'policy_conflict'],
    ['one_of', ['a', 'b', 'c'], ['c', 'b'], ['b', 'c']],
    ['one_of', ['a'], ['b'], 'policy_conflict'],
    ['one_of', [1], ['1'], 'policy_conflict'],
    ['subset_of', ['a', 'b'], ['b', 'c'], ['b']],
    ['subset_of', ['a'], ['b'], []],
    ['superset_of', ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']],
    ['essential', false, false, false],
    ['essential', true, false, true],
    ['essential', false, true, true],
    ['essential', true, true, true],
  ];

  it.each(ROWS)('%s %j and %j give %j', (operator, superior, subordinate, expected) => {
    const result = merged({ [operator]: superior }, { [operator]: subordinate });
    expect(result).toEqual(expected === 'policy_conflict' ? expected : { [operator]: expected });
  });
});

describe('mergePolicies', () => {
  it('copies entries of either policy at each of the three levels', () => {
    const superior = { a: { p: { essential: true } }, b: { p: { add: ['x'] } } };
    const subordinate = { b: { p: { essential: true }, q: { value: 1 } }, c: { r: { value: null } } };
    const result = mergePolicies(parseMetadataPolicy(superior), parseMetadataPolicy(subordinate));
    expect(result.ok && policyToJson(result.policy)).toStrictEqual({
      a: { p: { essential: true } },
      b: { p: { add: ['x'], essential: true }, q: { value: 1 } },
      c: { r: { value: null } },
    });
    expect(result.steps).toEqual([]);
  });

  it('returns the policy itself if the other one is empty', () => {
    const policy = parseMetadataPolicy({ a: { p: { add: ['x'] } } });
    for (const result of [mergePolicies(policy, EMPTY_POLICY), mergePolicies(EMPTY_POLICY, policy)])
      expect(result.ok && policyToJson(result.policy)).toEqual({ a: { p: { add: ['x'] } } });
  });

  it('refuses combinations of operators that only result from merging', () => {
    for (const [superior, subordinate] of [
      [{ value: null }, { essential: true }],
      [{ value: 'a' }, { one_of: ['b'] }],
      [{ one_of: ['a'] }, { subset_of: ['a'] }],
      [{ add: ['c'] }, { subset_of: ['a'] }],
      [{ subset_of: ['a', 'b'], superset_of: ['b'] }, { subset_of: ['a'] }],
      [{ value: null }, { default: 'a' }],
    ] as const)
      expect(merged(superior, subordinate)).toBe('policy_malformed');
  });

  it('compares scopes by their words', () => {
    expect(merged({ value: 'a b' }, { value: ['b', 'a'] }, 'scope')).toBeTypeOf('object');
    expect(merged({ value: 'a b' }, { value: 'a' }, 'scope')).toBe('policy_conflict');
    expect(merged({ subset_of: 'a b' }, { subset_of: 'b c' }, 'scope')).toEqual({ subset_of: ['b'] });
    expect(merged({ one_of: ['a b', 'c'] }, { one_of: ['b a'] }, 'scope')).toEqual({ one_of: ['a b'] });
  });

  it('passes on errors that are not about the policies', () => {
    const superior = new Map(parseMetadataPolicy({ [TYPE]: { p: { essential: true } } }));
    superior.get = () => {
      throw new RangeError('a mistake of ours');
    };
    const subordinate = parseMetadataPolicy({ [TYPE]: {} });
    expect(() => mergePolicies(asPolicy(superior), subordinate)).toThrow(RangeError);
  });

  it('keeps parameters with a language tag separate', () => {
    const result = mergePolicies(
      parseMetadataPolicy({ [TYPE]: { client_name: { value: 'a' } } }),
      parseMetadataPolicy({ [TYPE]: { 'client_name#de': { value: 'b' } } }),
    );
    expect(result.ok).toBe(true);
  });

  it('reports every merged operand, and the pair that could not be merged', () => {
    const result = merge({ subset_of: ['a', 'b'], default: ['a'] }, { subset_of: ['b'], default: ['b'] });
    expect(result).toMatchObject({ ok: false, failure: { reason: 'policy_conflict' } });
    expect(result.steps).toStrictEqual([
      { entityType: TYPE, parameter: 'p', operator: 'default', superior: ['a'], subordinate: ['b'] },
    ]);
    expect(merge({ subset_of: ['a', 'b'] }, { subset_of: ['b'] }).steps).toEqual([
      {
        entityType: TYPE,
        parameter: 'p',
        operator: 'subset_of',
        superior: ['a', 'b'],
        subordinate: ['b'],
        merged: ['b'],
      },
    ]);
  });
});
