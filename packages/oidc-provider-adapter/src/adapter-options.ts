import type { ImportedSecrets, ReplayStore } from '@vestibule/client-auth';
import type { ClientRepository } from '@vestibule/clients';
import type { Digester, Encryptor } from '@vestibule/crypto';
import type { AccessTokenType, Clock, Issuer } from '@vestibule/protocol';
import type { ProviderRecords } from '@vestibule/tokens';
import type { ClientViewOptions } from './client-view.js';

/** What the adapter works on. */
export interface AdapterOptions {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly clients: Pick<ClientRepository, 'find' | 'earlierSecrets'>;
  readonly records: ProviderRecords;
  /** Remembers what may be used once. */
  readonly replays: ReplayStore;
  /** How long a replaced client secret may go on authenticating, in seconds; with 0, the default, not at all. */
  readonly secretOverlapSeconds?: number;
  /** Without it a client whose secret was imported as a hash cannot use it. */
  readonly importedSecrets?: ImportedSecrets;
  /** What the server performs; a client may have registered more than that. */
  readonly performed: ClientViewOptions;
  /** The `typ` of self-contained access tokens. Default `at+jwt`, which is the library's own. */
  readonly accessTokenType?: AccessTokenType;
  /**
   * Whether access tokens of grants with `offline_access` end with the session that they were issued in, as other access
   * tokens do. Their refresh tokens do not (OpenID Connect Back-Channel Logout 1.0 section 2.7), and give new ones.
   * Default false.
   */
  readonly endsOfflineAccess?: boolean;
}
