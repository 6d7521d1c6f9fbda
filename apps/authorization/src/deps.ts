import type { ClientRepository, ClientUses, MasterToken } from '@vestibule/clients';
import type { Encryptor } from '@vestibule/crypto';
import type { SupportedMetadata } from '@vestibule/metadata';
import type {
  IdentifierTokenDeps,
  IdTokenDeps,
  InitialAccessTokenDeps,
  JwtTokenDeps,
  ProviderRecords,
  RevocationStore,
  TokenRevocationDeps,
} from '@vestibule/tokens';
import type { DirectSessionDeps } from './direct-sessions.js';
import type { ProviderDeps } from './provider/provider-deps.js';

/** What the direct authorisation endpoint works with. */
export interface DirectAuthorizationDeps
  extends IdentifierTokenDeps,
    Omit<JwtTokenDeps, 'keys'>,
    Omit<TokenRevocationDeps, 'revocations' | 'initialAccessTokens' | 'keys'> {
  readonly masterToken: MasterToken;
  readonly clients: Pick<ClientRepository, 'find'>;
  readonly clientUses: ClientUses;
  readonly initialAccessTokens: InitialAccessTokenDeps['initialAccessTokens'] &
    TokenRevocationDeps['initialAccessTokens'];
  readonly revocations: RevocationStore;
  readonly sessions: Pick<ProviderRecords['sessions'], 'addClient' | 'identify' | 'endOfSubject'>;
  readonly keys: IdTokenDeps['keys'] & TokenRevocationDeps['keys'];
  readonly encryptor: Encryptor;
  readonly settings: DirectAuthorizationSettings;
}

/** Lifetimes in whole seconds where a request names none. */
export interface DirectAuthorizationSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly idTokenLifetimeSeconds: number;
  readonly initialAccessTokenLifetimeSeconds: number;
}

/** What the authorisation server's endpoints work with: ports and settings, nothing else. */
export interface AuthorizationServiceDeps
  extends Omit<DirectAuthorizationDeps, 'keys' | 'clients' | 'sessions'>,
    Omit<DirectSessionDeps, 'keys'> {
  readonly keys: DirectAuthorizationDeps['keys'] & ProviderDeps['keys'];
  readonly clients: ProviderDeps['clients'];
  /** The public keys as they are to be published now. */
  readonly publicKeys: () => { readonly keys: readonly object[] };
  /** How long others may keep a copy of them, in seconds. */
  readonly publicKeysMaxAgeSeconds: number;
  readonly supported: SupportedMetadata;
  /** Where the logout page is, below the issuer. */
  readonly logoutPath: string;
  /** The scope values that anyone may register; absent where nobody registers without a token. */
  readonly openScopes?: readonly string[];
  /** Whether discovery tells that entities of federations may register. */
  readonly isFederationEnabled: boolean;
  /** Whether a page at the root leads to everything, as in the local stack. Default not. */
  readonly hasStartPage?: boolean;
  /** Whether the API document has a page. Default not. */
  readonly hasApiPage?: boolean;
}
