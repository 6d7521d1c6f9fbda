import type { JsonObject } from '@vestibule/protocol/json';
import type { FastifyPluginAsync } from 'fastify';
import type { InteractionHost } from './interaction-host.js';

/** An end-user, as known to the server that authenticates them. */
export interface Account {
  /** The name with which they log in. */
  readonly username?: string;
  /** Their OpenID claims, without `sub`. */
  readonly claims: JsonObject;
  /** Custom authorization data that their access tokens carry as `dat`. */
  readonly data?: JsonObject;
}

/** Looks up end-users. */
export interface Accounts {
  /** `undefined` for an unknown account; such an end-user still has a `sub`. */
  find(accountId: string): Promise<Account | undefined>;
}

/**
 * Login and consent. Mount your own: `pages` serves {@link INTERACTION_PATH}, reads the pending interaction from the
 * host, and passes the end-user's decision back to it.
 */
export interface Interaction {
  readonly accounts: Accounts;
  /**
   * The authentication context classes that a login may attain, published as `acr_values_supported`. Without them ID
   * tokens carry no `acr`, and a request with an essential one is refused. Default: none.
   */
  readonly acrValues?: readonly string[];
  readonly pages: (host: InteractionHost) => FastifyPluginAsync;
}

/** The route of an interaction. */
export const INTERACTION_PATH = '/interaction/:uid';

/** The path of an interaction, as browsers see it: below the path of the issuer, which a proxy may strip. */
export function interactionAddress(issuer: string, uid: string): string {
  return `${new URL(issuer).pathname.replace(/\/$/, '')}/interaction/${uid}`;
}
