import type { PathPattern } from './path-pattern.js';

/** A protected API behind the gateway, as the routes file describes it. */
export interface RoutedResource {
  /** Resource identifier (RFC 8707 section 2, RFC 9728 section 1.2). */
  readonly identifier: string;
  /** Hosts under which clients call it, as texts of `hostKeys`. */
  readonly hosts: readonly string[];
  /** Accepted values of `aud`; `unchecked` if the authorization server compares the audience with the caller. */
  readonly audience: readonly string[] | 'unchecked';
  /** URL at which clients see the root of the host, for `htu` of DPoP proofs. */
  readonly baseUrl: string | undefined;
  readonly isDpopRequired: boolean;
  readonly name: string | undefined;
  readonly documentation: string | undefined;
  /** In order; the first one with method and path of a request counts. */
  readonly routes: readonly ResourceRoute[];
}

/** Requests of a resource, and what they need. */
export interface ResourceRoute {
  readonly pattern: PathPattern;
  /** `undefined` for every method. */
  readonly methods: ReadonlySet<string> | undefined;
  /** `public` needs no token; anything else is a scope, whose values are space-separated and may be none. */
  readonly requirement: 'public' | { readonly scope: string };
}
