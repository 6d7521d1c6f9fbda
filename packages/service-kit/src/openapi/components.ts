import type { TSchema } from 'typebox';

/** Schemas that several places of a document share. */
export interface ComponentCollector {
  /** The schema for one place: a reference where it, or a part of it, has an `$id`. */
  readonly refer: (schema: TSchema) => unknown;
  /** Every schema that was referred to, by name. */
  readonly schemas: () => Readonly<Record<string, unknown>>;
}

/** Starts without components. */
export function componentCollector(): ComponentCollector {
  const schemas = new Map<string, unknown>();
  const referIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referIn);
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, ...rest } = Object.fromEntries(Object.entries(value));
    if (typeof name !== 'string') return referInMembers(value);
    if (!schemas.has(name)) {
      // Its place is kept first, so that the order is that of the first use.
      schemas.set(name, undefined);
      schemas.set(name, referInMembers(rest));
    }
    return { $ref: `#/components/schemas/${name}` };
  };
  const referInMembers = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([member, part]) => [member, referIn(part)]));
  return { refer: referIn, schemas: () => Object.fromEntries(schemas) };
}
