import type { Scope } from './scope.js';

/**
 * Whether a scope grants introspection: it contains the URL of the introspection endpoint
 * (introspection/API.md#callers).
 */
export function permitsIntrospection(scope: Scope, introspectionEndpoint: string): boolean {
  return scope.has(introspectionEndpoint);
}
