import type { ClientRepository, ClientUses } from '@vestibule/clients';
import type { ClientBlocks } from '@vestibule/clients/blocks';
import type { MasterToken } from '@vestibule/crypto';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import type { SupportedMetadata } from '@vestibule/metadata';
import type { FollowChanges } from '@vestibule/tokens/changes';
import type { ImportOutcome, TokenImportDeps } from '@vestibule/tokens/importing';
import type {
  IdentifierTokenDeps,
  IdTokenDeps,
  InitialAccessTokenDeps,
  JwtTokenDeps,
} from '@vestibule/tokens/issuing';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { RevocationStore, TokenRevocationDeps } from '@vestibule/tokens/revocation';
import type { ChangeStreams } from './changes/change-streams.js';
import type { DirectSessionDeps } from './direct-sessions.js';
import type { ProviderDeps } from './provider/provider-deps.js';

/** Counts imported tokens by outcome, and refused lines. */
export type CountImports = (result: ImportOutcome | 'refused', count: number) => void;

/** Dependencies of the direct authorization endpoint. */
export interface DirectAuthorizationDeps
  extends IdentifierTokenDeps,
    TokenImportDeps,
    Omit<JwtTokenDeps, 'keys'>,
    Omit<TokenRevocationDeps, 'revocations' | 'initialAccessTokens' | 'keys'> {
  readonly masterToken: MasterToken;
  readonly clients: Pick<ClientRepository, 'find' | 'findByResourceIdentifier'>;
  readonly blocks: Pick<ClientBlocks, 'isBlocked'>;
  readonly clientUses: ClientUses;
  readonly initialAccessTokens: InitialAccessTokenDeps['initialAccessTokens'] &
    TokenRevocationDeps['initialAccessTokens'];
  readonly revocations: RevocationStore;
  readonly sessions: Pick<ProviderRecords['sessions'], 'addClient' | 'identify' | 'endOfSubject'>;
  readonly keys: IdTokenDeps['keys'] & TokenRevocationDeps['keys'];
  readonly encryptor: Encryptor;
  /** Counts imported tokens. Default: not counted. */
  readonly countImports?: CountImports;
  readonly settings: DirectAuthorizationSettings;
}

/** Default lifetimes, in seconds. */
export interface DirectAuthorizationSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly idTokenLifetimeSeconds: number;
  readonly initialAccessTokenLifetimeSeconds: number;
}

/** Dependencies of the authorization server's endpoints: ports and settings. */
export interface AuthorizationServiceDeps
  extends Omit<DirectAuthorizationDeps, 'keys' | 'clients' | 'sessions'>,
    Omit<DirectSessionDeps, 'keys'> {
  readonly keys: DirectAuthorizationDeps['keys'] & ProviderDeps['keys'];
  /** The streams of what ended. */
  readonly changes: ChangeStreams;
  /** Follows what ended, for all readers in this process. */
  readonly followChanges: FollowChanges;
  readonly clients: ProviderDeps['clients'];
  /** The public keys to publish now. */
  readonly publicKeys: () => { readonly keys: readonly object[] };
  /** How long the published keys may be cached, in seconds. */
  readonly publicKeysMaxAgeSeconds: number;
  readonly supported: SupportedMetadata;
  /** Path of the logout page below the issuer. */
  readonly logoutPath: string;
  /** Whether discovery lists registration of federation entities. */
  readonly isFederationEnabled: boolean;
  /** Identifiers of the protected resources in discovery. Default: none. */
  readonly protectedResources?: readonly string[];

  /** Whether discovery says that clients may identify themselves by a client ID metadata document. */
  readonly takesMetadataDocuments: boolean;
  /**
   * Whether this server is the OpenID provider. Otherwise another one is, and only direct authorization and the key set
   * are served. Default: yes.
   */
  readonly isProvider?: boolean;
  /** Whether there is a start page at the root, as in the local stack. Default: no. */
  readonly hasStartPage?: boolean;
  /** Whether the API document has a page. Default: no. */
  readonly hasApiPage?: boolean;
}
