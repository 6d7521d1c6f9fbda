import type { Digest } from '@vestibule/crypto';
import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { Client, EarlierClientSecret } from './client.js';

/** The initial access token that pays for a registration: one use is spent in the creating statement. */
export interface TokenSpending {
  readonly candidates: readonly Digest[];
  readonly now: EpochSeconds;
}

/** Whether a client was created; when it was not, nothing was spent and nothing changed. */
export type CreateOutcome = 'created' | 'token_not_usable' | 'id_taken';

/** A changed client, and what the change leaves behind. */
export interface ClientReplacement {
  /** The new state; its `version` is the current one plus one. */
  readonly client: Client;
  /** The secret that the change replaced. */
  readonly earlierSecret?: EarlierClientSecret;
}

/** Where clients are kept. Every change is one atomic statement. */
export interface ClientRepository {
  /** The client, expired ones included; `undefined` when there is none. */
  find(id: ClientId): Promise<Client | undefined>;

  /**
   * Adds a client and, in the same statement, spends one use of an initial access token.
   * Of any number of parallel calls with a one-time token exactly one creates.
   */
  create(client: Client, spending?: TokenSpending): Promise<CreateOutcome>;

  /** Replaces a client when it still has the version before the new one. False, and no change, when it has not. */
  replace(replacement: ClientReplacement): Promise<boolean>;

  /** Forgets the previous registration token, because its successor was used. Idempotent. */
  forgetPreviousRegistrationToken(id: ClientId, current: Digest): Promise<void>;

  /**
   * Deletes a client with its access tokens, refresh tokens, authorisations and session places, and revokes every
   * self-contained token issued to it up to `now`, all in one statement. False when there is none.
   */
  delete(id: ClientId, now: EpochSeconds): Promise<boolean>;

  /** Every client in the order of issue, in pages that are read as they are consumed: constant memory. */
  list(): AsyncIterable<readonly Client[]>;

  /** The earlier secrets of a client that are kept at `now`, newest first. */
  earlierSecrets(id: ClientId, now: EpochSeconds): Promise<readonly EarlierClientSecret[]>;
}
