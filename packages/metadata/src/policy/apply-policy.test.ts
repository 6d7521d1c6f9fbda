import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { failureReason } from '../testing/policy-refusal.js';
import { applyPolicy } from './apply-policy.js';
import { parseMetadataPolicy } from './metadata-policy.js';

const TYPE = 'openid_relying_party';
const ABSENT = undefined;
const REFUSED = 'policy_violation';

function apply(operators: JsonObject, given: JsonValue | undefined, parameter = 'p') {
  const policy = parseMetadataPolicy({ [TYPE]: { [parameter]: operators } });
  return applyPolicy(policy, { [TYPE]: given === undefined ? {} : { [parameter]: given } });
}

function mistake(): never {
  throw new RangeError('a mistake of ours');
}

/** The result for a parameter: `undefined` if it is removed, the reason if it is refused. */
function applied(
  operators: JsonObject,
  given: JsonValue | undefined,
  parameter = 'p',
): JsonValue | undefined {
  const result = apply(operators, given, parameter);
  return result.ok ? result.metadata[TYPE]?.[parameter] : failureReason(result.failure);
}

describe('applyPolicy, operator by operator', () => {
  const ROWS: readonly (readonly [
    JsonObject,
    given: JsonValue | undefined,
    result: JsonValue | undefined,
  ])[] = [
    [{ value: 'a' }, 'b', 'a'],
    [{ value: 'a' }, ABSENT, 'a'],
    [{ value: false }, true, false],
    [{ value: ['a'] }, ['b', 'c'], ['a']],
    [{ value: null }, 'a', ABSENT],
    [{ value: null }, ABSENT, ABSENT],
    [{ add: ['a'] }, ['b'], ['b', 'a']],
    [{ add: ['a', 'b'] }, ['b'], ['b', 'a']],
    [{ add: ['a'] }, ABSENT, ['a']],
    [{ add: [{ x: 1 }] }, [{ x: 1 }], [{ x: 1 }]],
    [{ add: [] }, ABSENT, []],
    [{ add: ['a'] }, 'a', REFUSED],
    [{ add: ['a'] }, { 0: 'a' }, REFUSED],
    [{ default: 'a' }, ABSENT, 'a'],
    [{ default: 'a' }, 'b', 'b'],
    [{ default: true }, false, false],
    [{ default: ['a'] }, [], []],
    [{ one_of: ['a', 'b'] }, 'b', 'b'],
    [{ one_of: [1, { x: 1 }] }, { x: 1 }, { x: 1 }],
    [{ one_of: [1] }, 1, 1],
    [{ one_of: ['a'] }, 'c', REFUSED],
    [{ one_of: ['a'] }, 'A', REFUSED],
    [{ one_of: [1] }, '1', REFUSED],
    [{ one_of: ['a'] }, ['a'], REFUSED],
    [{ one_of: ['true'] }, true, REFUSED],
    [{ one_of: [] }, 'a', REFUSED],
    [{ one_of: ['a'] }, ABSENT, ABSENT],
    [{ subset_of: ['a', 'b'] }, ['b', 'c'], ['b']],
    [{ subset_of: ['a'] }, ['b'], []],
    [{ subset_of: ['a'] }, [], []],
    [{ subset_of: ['a'] }, ABSENT, ABSENT],
    [{ subset_of: ['a'] }, 'a', REFUSED],
    [{ superset_of: ['a'] }, ['a', 'b'], ['a', 'b']],
    [{ superset_of: ['a'] }, ['a'], ['a']],
    [{ superset_of: ['a', 'b'] }, ['a'], REFUSED],
    [{ superset_of: ['a'] }, [], REFUSED],
    [{ superset_of: ['a'] }, ABSENT, ABSENT],
    [{ superset_of: ['a'] }, 'a', REFUSED],
    [{ essential: true }, 'a', 'a'],
    [{ essential: true }, false, false],
    [{ essential: true }, ABSENT, REFUSED],
    [{ essential: false }, ABSENT, ABSENT],
  ];

  it.each(ROWS)('%j on %j gives %j', (operators, given, expected) => {
    expect(applied(operators, given)).toEqual(expected);
  });
});

describe('applyPolicy, operators together', () => {
  it('applies the operators in the order of the specification, whatever the order of the policy', () => {
    const rows: readonly (readonly [JsonObject, JsonValue | undefined, JsonValue | undefined])[] = [
      [{ essential: true, default: 'a' }, ABSENT, 'a'],
      [{ essential: true, value: 'a' }, ABSENT, 'a'],
      [{ essential: true, add: ['a'] }, ABSENT, ['a']],
      [{ subset_of: ['a'], default: ['a', 'b'] }, ABSENT, ['a']],
      [{ one_of: ['a'], default: 'b' }, ABSENT, REFUSED],
      [{ superset_of: ['b'], add: ['b'] }, ['a'], ['a', 'b']],
      [{ superset_of: ['b'], default: ['a'] }, ABSENT, REFUSED],
      [{ superset_of: ['a'], subset_of: ['a', 'b'] }, ['a', 'c'], ['a']],
      [{ superset_of: ['a'], subset_of: ['a', 'b'] }, ['b', 'c'], REFUSED],
      [{ default: ['b'], add: ['a'] }, ABSENT, ['a']],
      [{ add: ['a'], value: ['a', 'b'] }, ['c'], ['a', 'b']],
      [{ subset_of: ['a', 'b'], value: ['a'] }, ['b'], ['a']],
      [{ default: 'b', value: 'a' }, ABSENT, 'a'],
      [{ one_of: ['a', 'b'], value: 'a' }, 'b', 'a'],
      [{ value: null, essential: false }, 'a', ABSENT],
    ];
    for (const [operators, given, expected] of rows)
      expect(applied(operators, given), JSON.stringify(operators)).toEqual(expected);
  });

  it('treats scope as a list of words, and writes it as a string again', () => {
    const rows: readonly (readonly [JsonObject, JsonValue | undefined, JsonValue | undefined])[] = [
      [{ subset_of: ['openid', 'email'] }, 'openid profile email', 'openid email'],
      [{ subset_of: 'openid email' }, 'phone', ''],
      [{ superset_of: ['openid'] }, 'email openid', 'email openid'],
      [{ superset_of: ['openid'] }, 'email', REFUSED],
      [{ add: ['openid'] }, 'email', 'email openid'],
      [{ add: ['openid'] }, ABSENT, 'openid'],
      [{ default: 'openid' }, ABSENT, 'openid'],
      [{ default: ['openid', 'email'] }, ABSENT, 'email openid'],
      [{ value: ['openid'] }, 'email', 'openid'],
      [{ value: null }, 'email', ABSENT],
      [{ one_of: ['openid email', 'phone'] }, 'email openid', 'email openid'],
      [{ one_of: ['openid email'] }, 'openid', REFUSED],
      [{ essential: true }, 'openid', 'openid'],
      [{ subset_of: ['openid'] }, ['openid'], REFUSED],
      [{ essential: true }, 1, REFUSED],
    ];
    for (const [operators, given, expected] of rows)
      expect(applied(operators, given, 'scope'), JSON.stringify([operators, given])).toBe(expected);
  });

  it('leaves out a parameter that was removed', () => {
    const result = apply({ value: null }, 'a');
    expect(result.ok && Object.keys(result.metadata[TYPE] ?? {})).toEqual([]);
    const absent = apply({ one_of: ['a'] }, ABSENT);
    expect(absent.ok && Object.keys(absent.metadata[TYPE] ?? {})).toEqual([]);
  });

  it('treats only a parameter named scope as a scope', () => {
    expect(applied({ subset_of: ['a'] }, 'a b', 'scopes')).toBe(REFUSED);
  });

  it('leaves entity types and parameters without a policy unchanged', () => {
    const policy = parseMetadataPolicy({
      [TYPE]: { p: { value: 1 } },
      openid_provider: { q: { essential: true } },
    });
    const metadata = { [TYPE]: { q: 'a' }, federation_entity: { p: 2 } };
    expect(applyPolicy(policy, metadata)).toMatchObject({
      ok: true,
      metadata: { [TYPE]: { q: 'a', p: 1 }, federation_entity: { p: 2 } },
    });
  });

  it('reports every step with the value before and after, up to the one that failed', () => {
    const step = { entityType: TYPE, parameter: 'p' };
    expect(apply({ default: ['a', 'b'], subset_of: ['a'], essential: true }, ABSENT).steps).toStrictEqual([
      { ...step, operator: 'default', operand: ['a', 'b'], after: ['a', 'b'], passed: true },
      { ...step, operator: 'subset_of', operand: ['a'], before: ['a', 'b'], after: ['a'], passed: true },
      { ...step, operator: 'essential', operand: true, before: ['a'], after: ['a'], passed: true },
    ]);
    expect(apply({ one_of: ['a'], essential: true }, 'b').steps).toEqual([
      { ...step, operator: 'one_of', operand: ['a'], before: 'b', passed: false },
    ]);
    expect(apply({ value: null }, 'b').steps).toStrictEqual([
      { ...step, operator: 'value', operand: null, before: 'b', passed: true },
    ]);
  });

  it('passes on errors that are not about the metadata', () => {
    const policy = parseMetadataPolicy({ [TYPE]: { p: { essential: true } } });
    const metadata = new Proxy({ [TYPE]: {} }, { ownKeys: () => mistake() });
    expect(() => applyPolicy(policy, metadata)).toThrow(RangeError);
  });
});
