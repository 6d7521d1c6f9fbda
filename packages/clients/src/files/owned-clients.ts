import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { OperatorActor } from '../audit-actor.js';
import type { ClientOwner } from '../client-owner.js';

/** A state of a client: nothing that is registered changes without a new version. */
export interface ClientVersion {
  readonly id: ClientId;
  readonly version: number;
}

/** A part of the clients of an owner, in the order of their identifiers. */
export interface OwnedStretch {
  /** The last client of the previous part. */
  readonly after?: ClientId;
  /** Maximum number of clients. */
  readonly limit: number;
}

/** Store of what sets of files own. */
export interface OwnedClients {
  /** Lists clients of an owner, expired ones too, in the order of their identifiers. */
  find(owner: ClientOwner, stretch: OwnedStretch): Promise<readonly ClientId[]>;

  /**
   * Records that the secrets of clients were handed over, with an audit event each. Clients with another version by now
   * are left as they are.
   */
  markDelivered(
    clients: readonly ClientVersion[],
    delivery: { readonly actor: OperatorActor; readonly now: EpochSeconds },
  ): Promise<void>;
}
