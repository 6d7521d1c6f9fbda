import type { TSchema } from 'typebox';

/** Collects schemas that several parts of a document share. */
export interface ComponentCollector {
  /** Returns the schema with a reference in place of it, or of any part of it, that has an `$id`. */
  readonly refer: (schema: TSchema) => unknown;
  /** Referenced schemas by name. */
  readonly schemas: () => Readonly<Record<string, unknown>>;
}

/** Creates an empty collector. */
export function componentCollector(): ComponentCollector {
  const schemas = new Map<string, unknown>();
  const referIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referIn);
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, ...rest } = Object.fromEntries(Object.entries(value));
    if (typeof name !== 'string') return referInMembers(value);
    if (!schemas.has(name)) {
      // Reserve the position first, so that components are in the order of their first use.
      schemas.set(name, undefined);
      schemas.set(name, referInMembers(rest));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const referInMembers = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([member, part]) => [member, referIn(part)]));
  return { refer: referIn, schemas: () => Object.fromEntries(schemas) };
}
