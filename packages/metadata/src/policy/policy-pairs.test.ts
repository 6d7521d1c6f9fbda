import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { failureReason, reasonOf } from '../testing/policy-refusal.js';
import { applyPolicy } from './apply-policy.js';
import { mergePolicies } from './merge-policies.js';
import { parseMetadataPolicy } from './metadata-policy.js';

// Every pair of operators with every pair of operands over three words, against a model of OpenID Federation 1.0
// section 6.1.3.1 in the terms of its tables, on sets of letters: 'ab' stands for ["a", "b"].

const TYPE = 'openid_relying_party';
const LISTS = ['', 'a', 'b', 'ab', 'bc'];
const ABSENT = undefined;

const NAMES = ['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential'] as const;
type Name = (typeof NAMES)[number];
/** Sets of letters; `null` removes the parameter, and `essential` is true or false. */
type Model = Partial<Record<Name, string | null | boolean>>;

const SINGLE: readonly Model[] = [
  ...(['add', 'one_of', 'subset_of', 'superset_of'] as const).flatMap((name) =>
    LISTS.map((list): Model => ({ [name]: list })),
  ),
  ...(['value', 'default'] as const).flatMap((name) => LISTS.map((list): Model => ({ [name]: list }))),
  { value: null },
  { essential: true },
  { essential: false },
];

const within = (inner: string, outer: string) => [...inner].every((letter) => outer.includes(letter));
const both = (one: string, other: string) => [...one].filter((letter) => other.includes(letter)).join('');
const either = (one: string, other: string) => [...new Set(one + other)].toSorted().join('');

/** The pairs that may not be combined with some operands. All values here are lists, which one_of never contains. */
const CLASHES: readonly (readonly [Name, Name, clash: (one: string, other: string) => boolean])[] = [
  ['value', 'add', (value, add) => !within(add, value)],
  ['value', 'one_of', () => true],
  ['value', 'subset_of', (value, subset) => !within(value, subset)],
  ['value', 'superset_of', (value, superset) => !within(superset, value)],
  ['add', 'one_of', () => true],
  ['add', 'subset_of', (add, subset) => !within(add, subset)],
  ['one_of', 'subset_of', () => true],
  ['one_of', 'superset_of', () => true],
  ['subset_of', 'superset_of', (subset, superset) => !within(superset, subset)],
];

/** Whether the operators of one policy may not be combined. */
function isClash(model: Model): boolean {
  const { value, essential = false, ...others } = model;
  if (value === null) return Object.keys(others).length > 0 || essential === true;
  return CLASHES.some(([name, other, clash]) => {
    const [one, two] = [model[name], model[other]];
    return typeof one === 'string' && typeof two === 'string' && clash(one, two);
  });
}

/** The same operator of two superiors, as strict as both; `undefined` if they conflict. */
const MERGES: Readonly<Record<Name, (above: string, below: string) => string | undefined>> = {
  value: same,
  default: same,
  add: either,
  superset_of: either,
  subset_of: both,
  one_of: (above, below) => both(above, below) || undefined,
  essential: (above, below) => (above === 'true' ? above : below),
};

function same(above: string, below: string): string | undefined {
  return above === below ? above : undefined;
}

/** Two policies of one operator each, merged into one. */
function mergedModel(one: Model, other: Model): Model | 'policy_conflict' | 'policy_malformed' {
  const merged: Model = { ...one, ...other };
  const [name] = NAMES.filter((each) => Object.hasOwn(one, each) && Object.hasOwn(other, each));
  if (name !== undefined) {
    const result = MERGES[name](String(one[name]), String(other[name]));
    if (result === undefined) return 'policy_conflict';
    merged[name] = name === 'essential' ? result === 'true' : result === 'null' ? null : result;
  }
  return isClash(merged) ? 'policy_malformed' : merged;
}

/** The result for a list, or for a missing parameter. */
function appliedModel(model: Model, given: string | undefined): string | undefined {
  let current = given;
  if (Object.hasOwn(model, 'value')) current = model.value === null ? ABSENT : String(model.value);
  if (model.add !== ABSENT) current = either(current ?? '', String(model.add));
  if (model.default !== ABSENT) current ??= String(model.default);
  // A list never equals one of several words.
  if (model.one_of !== ABSENT && current !== ABSENT) return 'policy_violation';
  if (model.subset_of !== ABSENT && current !== ABSENT) current = both(current, String(model.subset_of));
  if (model.superset_of !== ABSENT && current !== ABSENT && !within(String(model.superset_of), current))
    return 'policy_violation';
  return model.essential === true && current === ABSENT ? 'policy_violation' : current;
}

const operators = (model: Model): JsonObject =>
  Object.fromEntries(
    Object.entries(model).map(([name, operand]) => [
      name,
      typeof operand === 'string' ? [...operand] : operand,
    ]),
  );
const read = (model: Model) => parseMetadataPolicy({ [TYPE]: { p: operators(model) } });

/** The result of our code for two policies and a list, in the terms of the model. */
function outcome(one: Model, other: Model, given: string | undefined): string | undefined {
  const merge = mergePolicies(read(one), read(other));
  if (!merge.ok) return failureReason(merge.failure);
  const applied = applyPolicy(merge.policy, { [TYPE]: given === ABSENT ? {} : { p: [...given] } });
  if (!applied.ok) return failureReason(applied.failure);
  const value = applied.metadata[TYPE]?.['p'];
  return Array.isArray(value) ? value.map(String).toSorted().join('') : ABSENT;
}

function expected(one: Model, other: Model, given: string | undefined): string | undefined {
  const merged = mergedModel(one, other);
  return typeof merged === 'string' ? merged : appliedModel(merged, given);
}

describe('two superiors with one operator each', () => {
  it.each(SINGLE)('merge and apply as the tables of the specification say: %j above any other', (one) => {
    const rows = SINGLE.flatMap((other) => [ABSENT, ...LISTS].map((given) => [other, given] as const));
    const deviating = rows.filter(
      ([other, given]) => outcome(one, other, given) !== expected(one, other, given),
    );
    expect(deviating).toEqual([]);
  });

  it('may be combined under one superior exactly if they may be merged from two', () => {
    const pairs = SINGLE.flatMap((one) => SINGLE.map((other) => [one, other] as const));
    const deviating = pairs
      .filter(([one, other]) => !NAMES.some((name) => Object.hasOwn(one, name) && Object.hasOwn(other, name)))
      .filter(([one, other]) => {
        const isRefused = reasonOf(() => read({ ...one, ...other })) === 'policy_malformed';
        return isRefused !== (mergedModel(one, other) === 'policy_malformed');
      });
    expect(deviating).toEqual([]);
  });
});
