declare const scopeBrand: unique symbol;

/** Scope values without repetition, in the order in which they were first given (RFC 6749 section 3.3). */
export type Scope = ReadonlySet<string> & { readonly [scopeBrand]: true };

const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** No scope value at all. */
export const EMPTY_SCOPE: Scope = new Set<string>() as ReadonlySet<string> as Scope;

/**
 * Parses space-separated scope values; the empty text is the empty scope.
 * `undefined` when the text breaks the grammar of RFC 6749 section 3.3: other characters than visible ASCII without
 * quote and backslash, or spaces other than single ones between values.
 */
export function parseScope(text: string): Scope | undefined {
  if (text === '') return EMPTY_SCOPE;
  const values = text.split(' ');
  if (!values.every((value) => SCOPE_TOKEN.test(value))) return undefined;
  return new Set(values) as ReadonlySet<string> as Scope;
}

/** The scope as it stands on the wire. */
export function formatScope(scope: Scope): string {
  return [...scope].join(' ');
}
