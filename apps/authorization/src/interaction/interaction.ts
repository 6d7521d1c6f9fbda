import type { JsonObject } from '@vestibule/protocol';
import type { FastifyPluginAsync } from 'fastify';
import type { InteractionHost } from './interaction-host.js';

/** An end-user, as the server that logs them in knows them. */
export interface Account {
  /** The name that they log in with. */
  readonly username?: string;
  /** Their OpenID claims, without `sub`. */
  readonly claims: JsonObject;
  /** Custom authorisation data that their access tokens carry as `dat`. */
  readonly data?: JsonObject;
}

/** The end-users. */
export interface Accounts {
  /** `undefined` for someone who is not known here; such a person still has a `sub`. */
  find(accountId: string): Promise<Account | undefined>;
}

/**
 * Where end-users log in and consent. A team mounts its own: `pages` serves {@link INTERACTION_PATH}, asks the host
 * what is wanted, and tells it what the end-user decided.
 */
export interface Interaction {
  readonly accounts: Accounts;
  /**
   * The authentication context classes that a login may attain, told as `acr_values_supported`. Without them ID tokens
   * carry no `acr`, and a request that needs one is refused. Default none.
   */
  readonly acrValues?: readonly string[];
  readonly pages: (host: InteractionHost) => FastifyPluginAsync;
}

/** The address of an interaction, as a route. */
export const INTERACTION_PATH = '/interaction/:uid';
