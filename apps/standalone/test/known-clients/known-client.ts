import type { Members } from '../support/api.js';

/** Where it is published what a client sends. */
export interface Source {
  /**
   * `code`: read in the client's own source. `report`: logged or quoted by the operator of another server. `unverified`:
   * the address of the callback is published, and the other members are assumed.
   */
  readonly kind: 'code' | 'report' | 'unverified';
  readonly url: string;
}

/** A client that registers itself, with what it sends. */
export interface KnownClient {
  /** Product and, where they differ, the form or version of it. */
  readonly name: string;
  readonly source: Source;
  /** The body of its registration. */
  readonly registration: Members;
  /**
   * The redirect URIs of its logins, each tried. Programs that listen on a port of their own at each start log in with
   * another one than they registered.
   */
  readonly redirectUris: readonly [string, ...string[]];
}

/** The members that nearly every client sends. */
export const CODE_FLOW = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

/** A client that does not authenticate. */
export const PUBLIC = { ...CODE_FLOW, token_endpoint_auth_method: 'none' };

const GITHUB = 'https://github.com/';

/** A file of the client's repository. */
export const code = (repository: string, path: string): Source => ({
  kind: 'code',
  url: `${GITHUB}${repository}/blob/HEAD/${path}`,
});

/** A thread in which an operator tells what the client sent. */
export const report = (thread: string): Source => ({ kind: 'report', url: GITHUB + thread });

/** A thread that names the callback only. */
export const unverified = (thread: string): Source => ({ kind: 'unverified', url: GITHUB + thread });
