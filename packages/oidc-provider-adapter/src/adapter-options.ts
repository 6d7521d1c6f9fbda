import type { ImportedSecrets } from '@vestibule/client-auth';
import type { ReplayStore } from '@vestibule/client-auth/assertions';
import type { ClientRepository } from '@vestibule/clients';
import type { ClientBlocks } from '@vestibule/clients/blocks';
import type { Digester, Encryptor } from '@vestibule/crypto/data-keys';
import type { Clock, Issuer } from '@vestibule/protocol';
import type { AccessTokenType } from '@vestibule/protocol/constants';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { ClientViewOptions } from './client-view.js';

/** Options of the adapter. */
export interface AdapterOptions {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly clients: Pick<ClientRepository, 'find' | 'previousSecrets'>;
  /** Makes blocked clients unknown at once. Default: they are known until they have been deleted. */
  readonly blocks?: Pick<ClientBlocks, 'isBlocked'>;
  readonly records: ProviderRecords;
  /** Records single uses. */
  readonly replays: ReplayStore;
  /** How long a replaced client secret still authenticates, in seconds. Default: 0, not at all. */
  readonly secretOverlapSeconds?: number;
  /** Without it, a client whose secret was imported as a hash cannot use it. */
  readonly importedSecrets?: ImportedSecrets;
  /** What the server performs; a client may have registered more than that. */
  readonly performed: ClientViewOptions;
  /** The `typ` of self-contained access tokens. Default: `at+jwt`, as in the library. */
  readonly accessTokenType?: AccessTokenType;
  /**
   * Whether access tokens of grants with `offline_access` end with the session in which they were issued, like other
   * access tokens. Their refresh tokens do not (OpenID Connect Back-Channel Logout 1.0 section 2.7), and give new ones.
   * Default: false.
   */
  readonly endsOfflineAccess?: boolean;
}
