import type { Scope } from './scope.js';

/**
 * Whether a scope lets its holder introspect tokens: it has the address of the introspection endpoint as a value
 * (introspection/API.md#callers).
 */
export function permitsIntrospection(scope: Scope, introspectionEndpoint: string): boolean {
  return scope.has(introspectionEndpoint);
}
