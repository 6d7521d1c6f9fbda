import type { OperatorActor } from './audit-actor.js';
import type { Client } from './client.js';

/** A client and the authority under which it is managed. */
export interface ManagedClient {
  readonly client: Client;
  /** The registration access token of the request; absent for the master token. */
  readonly registrationToken?: string | undefined;
  /** The operator; absent if a token was presented. */
  readonly operator?: OperatorActor | undefined;
  /**
   * Whether the token is the previous one and its successor was never used, so the response to the last update may be
   * lost. A read with it returns the successor.
   */
  readonly isOutdated?: boolean;
}
