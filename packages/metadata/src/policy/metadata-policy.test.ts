import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonOf } from '../testing/policy-refusal.js';
import { parseMetadataPolicy, policyToJson } from './metadata-policy.js';
import { PolicyFailure } from './policy-failure.js';

const TYPE = 'openid_relying_party';

/** Parses a policy for one parameter and returns it; the reason if it is refused. */
function read(operators: JsonValue, parameter = 'p'): JsonValue {
  const claim = { [TYPE]: { [parameter]: operators } };
  const reason = reasonOf(() => parseMetadataPolicy(claim));
  if (reason !== undefined) return reason;
  return (policyToJson(parseMetadataPolicy(claim))[TYPE] as JsonObject)[parameter] ?? null;
}

describe('parseMetadataPolicy', () => {
  it('accepts the permitted operands of each operator, and no others', () => {
    const scalars: JsonValue[] = ['a', 1, true, false, { a: 1 }];
    const lists: JsonValue[] = [[], ['a'], ['a', 'b'], [1, 2], [{ a: 1 }]];
    const badLists: JsonValue[] = [[null], [true], [['a']], ['a', null]];
    const good: Record<string, JsonValue[]> = {
      value: [...scalars, ...lists, null],
      add: lists,
      default: [...scalars, ...lists],
      one_of: lists,
      subset_of: lists,
      superset_of: lists,
      essential: [true, false],
    };
    const bad: Record<string, JsonValue[]> = {
      add: [...scalars, ...badLists, null],
      default: [null],
      one_of: [...scalars, ...badLists, null],
      subset_of: [...scalars, ...badLists, null],
      superset_of: [...scalars, ...badLists, null],
      essential: ['true', 1, 0, null, [true], {}],
    };
    for (const [operator, operands] of Object.entries(good))
      for (const operand of operands) expect(read({ [operator]: operand })).toEqual({ [operator]: operand });
    for (const [operator, operands] of Object.entries(bad))
      for (const operand of operands)
        expect(read({ [operator]: operand }), `${operator} ${JSON.stringify(operand)}`).toBe(
          'policy_malformed',
        );
  });

  it('leaves out nonstandard operators', () => {
    expect(read({ regexp: '^a', essential: true })).toEqual({ essential: true });
    expect(read({ Value: 'a', toString: 'a', constructor: 'a' })).toEqual({});
  });

  it('refuses anything but three levels of objects', () => {
    for (const claim of [
      null,
      undefined,
      [],
      'a',
      1,
      { [TYPE]: [] },
      { [TYPE]: { p: 'a' } },
      { [TYPE]: { p: null } },
    ])
      expect(
        reasonOf(() => parseMetadataPolicy(claim)),
        JSON.stringify(claim),
      ).toBe('policy_malformed');
    expect(parseMetadataPolicy({}).size).toBe(0);
  });

  it('accepts scope operands as strings and as lists, and compares their words', () => {
    for (const scope of ['b a', 'a  b', ['b', 'a'], ['a b'], ['a', 'b a']]) {
      const words = (read({ value: scope }, 'scope') as JsonObject)['value'];
      expect([...(words as string[])].toSorted()).toEqual(['a', 'b']);
    }
    expect(read({ subset_of: 'a b' }, 'scope')).toEqual({ subset_of: ['a', 'b'] });
    expect(read({ one_of: ['b a', ['c']] }, 'scope')).toEqual({ one_of: ['a b', 'c'] });
    expect(read({ value: null }, 'scope')).toEqual({ value: null });
    for (const operators of [{ value: 1 }, { one_of: 'a b' }, { one_of: [1] }, { add: [1] }, { default: {} }])
      expect(read(operators, 'scope'), JSON.stringify(operators)).toBe('policy_malformed');
  });

  it('throws only policy errors, whatever the input is', () => {
    const operators = fc.dictionary(
      fc.constantFrom('value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential', 'x'),
      fc.jsonValue(),
    );
    const policies = fc.dictionary(fc.string(), fc.dictionary(fc.constantFrom('scope', 'p'), operators));
    fc.assert(
      fc.property(fc.oneof(policies, fc.anything()), (claim) => {
        try {
          parseMetadataPolicy(claim);
        } catch (error) {
          expect(error).toBeInstanceOf(PolicyFailure);
        }
      }),
    );
  });
});

describe('operators of one parameter', () => {
  /** Every pair of the seven operators: operands that may be combined, and operands that may not. */
  const PAIRS: Record<string, { readonly good: JsonObject[]; readonly bad: JsonObject[] }> = {
    'value add': {
      good: [
        { value: ['a', 'b'], add: ['a'] },
        { value: ['a'], add: [] },
      ],
      bad: [
        { value: ['a'], add: ['b'] },
        { value: null, add: ['a'] },
        { value: 'a', add: ['a'] },
      ],
    },
    'value default': { good: [{ value: 'a', default: 'b' }], bad: [{ value: null, default: 'b' }] },
    'value one_of': {
      good: [
        { value: 'a', one_of: ['a', 'b'] },
        { value: { x: 1 }, one_of: [{ x: 1 }] },
      ],
      bad: [
        { value: 'c', one_of: ['a'] },
        { value: null, one_of: ['a'] },
        { value: ['a'], one_of: ['a'] },
      ],
    },
    'value subset_of': {
      good: [
        { value: ['a'], subset_of: ['a', 'b'] },
        { value: [], subset_of: [] },
      ],
      bad: [
        { value: ['a', 'c'], subset_of: ['a'] },
        { value: 'a', subset_of: ['a'] },
        { value: null, subset_of: ['a'] },
      ],
    },
    'value superset_of': {
      good: [{ value: ['a', 'b'], superset_of: ['a'] }],
      bad: [
        { value: ['a'], superset_of: ['a', 'b'] },
        { value: 'a', superset_of: ['a'] },
        { value: null, superset_of: ['a'] },
      ],
    },
    'value essential': {
      good: [
        { value: 'a', essential: true },
        { value: null, essential: false },
        { value: false, essential: true },
      ],
      bad: [{ value: null, essential: true }],
    },
    'add default': { good: [{ add: ['a'], default: ['b'] }], bad: [] },
    'add one_of': { good: [], bad: [{ add: ['a'], one_of: ['a'] }] },
    'add subset_of': {
      good: [{ add: ['a'], subset_of: ['a', 'b'] }],
      bad: [{ add: ['c'], subset_of: ['a'] }],
    },
    'add superset_of': { good: [{ add: ['a'], superset_of: ['b'] }], bad: [] },
    'add essential': { good: [{ add: ['a'], essential: true }], bad: [] },
    'default one_of': { good: [{ default: 'a', one_of: ['b'] }], bad: [] },
    'default subset_of': { good: [{ default: ['a'], subset_of: ['b'] }], bad: [] },
    'default superset_of': { good: [{ default: ['a'], superset_of: ['b'] }], bad: [] },
    'default essential': { good: [{ default: 'a', essential: true }], bad: [] },
    'one_of subset_of': { good: [], bad: [{ one_of: ['a'], subset_of: ['a'] }] },
    'one_of superset_of': { good: [], bad: [{ one_of: ['a'], superset_of: ['a'] }] },
    'one_of essential': { good: [{ one_of: ['a'], essential: true }], bad: [] },
    'subset_of superset_of': {
      good: [
        { subset_of: ['a', 'b'], superset_of: ['a'] },
        { subset_of: ['a'], superset_of: ['a'] },
      ],
      bad: [{ subset_of: ['a'], superset_of: ['a', 'b'] }],
    },
    'subset_of essential': { good: [{ subset_of: ['a'], essential: true }], bad: [] },
    'superset_of essential': { good: [{ superset_of: ['a'], essential: false }], bad: [] },
  };

  it.each(Object.entries(PAIRS))('%s may be combined as the specification says', (_pair, { good, bad }) => {
    for (const operators of good) expect(read(operators)).toEqual(operators);
    for (const operators of bad) expect(read(operators), JSON.stringify(operators)).toBe('policy_malformed');
  });

  it('are checked in every pair if there are three', () => {
    expect(read({ value: ['a'], subset_of: ['a'], superset_of: ['a'], essential: true })).toBeTypeOf(
      'object',
    );
    expect(read({ default: 'a', one_of: ['a'], superset_of: ['a'] })).toBe('policy_malformed');
  });

  it('compare the words of scope, whatever their order', () => {
    expect(read({ value: 'b a', one_of: ['a b'] }, 'scope')).toBeTypeOf('object');
    expect(read({ value: 'a', one_of: ['a b'] }, 'scope')).toBe('policy_malformed');
    expect(read({ value: 'a', subset_of: 'a b' }, 'scope')).toBeTypeOf('object');
  });
});
