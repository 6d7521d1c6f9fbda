import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPolicy } from './apply-policy.js';
import { mergePolicies } from './merge-policies.js';
import { type MetadataPolicy, parseMetadataPolicy, policyToJson } from './metadata-policy.js';

const TYPE = 'openid_relying_party';

const word = fc.constantFrom('a', 'b', 'c');
const words = fc.uniqueArray(word, { maxLength: 3 });
const operands = fc.record({
  value: fc.oneof(words, word, fc.constant(null)),
  add: words,
  default: fc.oneof(words, word),
  one_of: words,
  subset_of: words,
  superset_of: words,
  essential: fc.boolean(),
});

const ALL = ['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential'] as const;
/** The operators of which many can be combined. */
const COMBINABLE = ['add', 'default', 'subset_of', 'superset_of', 'essential'] as const;

const someOf = (names: readonly (typeof ALL)[number][], minLength: number) =>
  fc
    .tuple(operands, fc.subarray([...names], { minLength }))
    .map(([given, chosen]) => Object.fromEntries(chosen.map((name) => [name, given[name]])));

const operators = fc.oneof(someOf(ALL, 1), someOf(COMBINABLE, 3));

const parameter = fc.constantFrom('p', 'scope');

/** A policy for one parameter; half of the drawn policies are malformed. */
const policy = fc
  .tuple(parameter, operators)
  .map(([name, given]): MetadataPolicy | undefined => {
    try {
      return parseMetadataPolicy({ [TYPE]: { [name]: given } });
    } catch {
      return undefined;
    }
  })
  .filter((read) => read !== undefined);

const metadata = fc.record(
  { p: fc.oneof(words, word), scope: words.map((list) => list.join(' ')) },
  { requiredKeys: [] },
);

const RUNS = { numRuns: 1_000 };

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sorted(member)]));
}

function mergeAll(first: MetadataPolicy, ...others: readonly MetadataPolicy[]): MetadataPolicy | undefined {
  let all = first;
  for (const other of others) {
    const merge = mergePolicies(all, other);
    if (!merge.ok) return undefined;
    all = merge.policy;
  }
  return all;
}

const shown = (one: MetadataPolicy | undefined) =>
  one === undefined ? undefined : sorted(policyToJson(one));
const comparableMembers = (members: JsonObject) =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      name === 'scope' ? String(value).split(' ').toSorted() : sorted(value),
    ]),
  );

describe('merging and applying policies', () => {
  it('is associative', () => {
    fc.assert(
      fc.property(policy, policy, policy, (top, middle, bottom) => {
        const lower = mergePolicies(middle, bottom);
        const right = lower.ok ? mergeAll(top, lower.policy) : undefined;
        expect(shown(mergeAll(top, middle, bottom))).toEqual(shown(right));
      }),
      RUNS,
    );
  });

  it('is commutative', () => {
    fc.assert(
      fc.property(policy, policy, (one, other) => {
        expect(shown(mergeAll(one, other))).toEqual(shown(mergeAll(other, one)));
      }),
      RUNS,
    );
  });

  // Subordinates can only restrict: the result complies with each policy by itself.
  it('never permits anything that one of the superiors does not', () => {
    let applied = 0;
    fc.assert(
      fc.property(policy, policy, metadata, (top, bottom, members) => {
        const merged = mergeAll(top, bottom);
        const result = merged && applyPolicy(merged, { [TYPE]: members });
        if (!result?.ok) return;
        applied += 1;
        for (const single of [top, bottom]) {
          const again = applyPolicy(single, result.metadata);
          expect(again.ok && comparableMembers(again.metadata[TYPE] ?? {})).toEqual(
            comparableMembers(result.metadata[TYPE] ?? {}),
          );
        }
      }),
      RUNS,
    );
    expect(applied).toBeGreaterThan(20);
  });

  it('never sets a parameter to null', () => {
    fc.assert(
      fc.property(policy, metadata, (one, members) => {
        const result = applyPolicy(one, { [TYPE]: members });
        if (result.ok) expect(Object.values(result.metadata[TYPE] ?? {})).not.toContain(null);
      }),
      RUNS,
    );
  });
});
