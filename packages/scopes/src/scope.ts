declare const scopeBrand: unique symbol;

/** Distinct scope values in the order of their first occurrence (RFC 6749 section 3.3). */
export type Scope = ReadonlySet<string> & { readonly [scopeBrand]: true };

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The scope without values. */
export const EMPTY_SCOPE: Scope = new Set<string>() as ReadonlySet<string> as Scope;

/**
 * Parses space-separated scope values; the empty string is the empty scope. `undefined` if the text violates RFC 6749
 * section 3.3: characters other than visible ASCII without quote and backslash, or spaces other than single ones
 * between values.
 */
export function parseScope(text: string): Scope | undefined {
  if (text === '') return EMPTY_SCOPE;
  const values = text.split(' ');
  if (!values.every((value) => SCOPE_TOKEN.test(value))) return undefined;
  return new Set(values) as ReadonlySet<string> as Scope;
}

/** Formats a scope as sent on the wire. */
export function formatScope(scope: Scope): string {
  return [...scope].join(' ');
}

/**
 * Whether a scope grants introspection: it contains the URL of the introspection endpoint
 * (introspection/API.md#callers).
 */
export function permitsIntrospection(scope: Scope, introspectionEndpoint: string): boolean {
  return scope.has(introspectionEndpoint);
}
