import fc from 'fast-check';

/** Arbitrary JSON values whose numbers all parsers read alike: none beyond 2^53. */
export function exactJson(constraints: fc.JsonSharedConstraints): fc.Arbitrary<fc.JsonValue> {
  return fc.jsonValue(constraints).map(withExactNumbers);
}

function withExactNumbers(value: unknown): fc.JsonValue {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 1 / value : value;
  if (typeof value !== 'object' || value === null) return value as fc.JsonValue;
  if (Array.isArray(value)) return value.map(withExactNumbers);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withExactNumbers(member)]));
}
