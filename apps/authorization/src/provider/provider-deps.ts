import type { IncomingMessage } from 'node:http';
import type { ImportedSecrets } from '@vestibule/client-auth';
import type { AssertionAudience, ReplayStore } from '@vestibule/client-auth/assertions';
import type { ClientRepository, ClientUses } from '@vestibule/clients';
import type { ClientBlocks } from '@vestibule/clients/blocks';
import type { DocumentClients } from '@vestibule/clients/metadata-documents';
import type { Digester, Encryptor } from '@vestibule/crypto/data-keys';
import type { KeyRing, openPrivateJwks } from '@vestibule/crypto/signing-keys';
import type { Egress } from '@vestibule/egress';
import type { AutomaticRegistration } from '@vestibule/federation/clients';
import type { SupportedMetadata } from '@vestibule/metadata';
import type { ClientId, Clock, Issuer, RandomSource } from '@vestibule/protocol';
import type { AccessTokenType, AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { FailedAuthenticationThrottle } from '@vestibule/service';
import type { ClientCertificateReading } from '@vestibule/service/tls';
import type { ProviderRecords } from '@vestibule/tokens/provider';
import type { Interaction } from '../interaction/interaction.js';
import type { RefusedClient } from './client-refusals.js';
import type { ResourceDefaultScopes } from './default-scope.js';
import type { StoredRequestLimit } from './stored-request-limit.js';

/** Lifetimes in seconds, and other settings of the interactive endpoints. */
export interface ProviderSettings {
  readonly accessTokenLifetimeSeconds: number;
  readonly idTokenLifetimeSeconds: number;
  readonly refreshTokenLifetimeSeconds: number;
  readonly sessionLifetimeSeconds: number;
  /** Length of an identifier-based token, in characters. */
  readonly tokenLength: number;
  /** The format of tokens that name a resource server. */
  readonly resourceTokenFormat: 'identifier' | 'jwt';
  /** The default scope of requests with a resource and no scope. */
  readonly resourceDefaultScopes: ResourceDefaultScopes;
  /** Whether a token with scope values for resource servers must be requested for one of them. */
  readonly isResourceRequired: boolean;
  /** Which clients must use PKCE (RFC 7636): those without authentication, or all. */
  readonly pkceRequired: 'public' | 'all';
  readonly assertionMaxLifetimeSeconds: number;
  /** Accepted values of `aud` in client assertions. */
  readonly assertionAudience: AssertionAudience;
}

/** Automatic registration of federation entities. */
export interface AutomaticClients extends AutomaticRegistration {
  /** Hosts whose entity identifiers may use http: for development and tests only. */
  readonly allowHosts: readonly string[];
}

/** Dependencies of the endpoints of node-oidc-provider. */
export interface ProviderDeps {
  readonly clock: Clock;
  readonly issuer: Issuer;
  readonly random: RandomSource;
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly clients: Pick<ClientRepository, 'find' | 'findByResourceIdentifier' | 'previousSecrets'>;
  readonly blocks: Pick<ClientBlocks, 'isBlocked'>;
  /** How long a replaced client secret still authenticates, in seconds; 0 for not at all. */
  readonly secretOverlapSeconds: number;
  /** Verifies and adopts secrets that were imported as hashes. */
  readonly importedSecrets: ImportedSecrets;
  readonly clientUses: ClientUses;
  readonly records: ProviderRecords;
  readonly replays: ReplayStore;
  /** Revokes an access token if it was issued to this client; false if the identifier is not an access token. */
  readonly revokeOwnToken: (owner: ClientId, token: string) => Promise<boolean>;
  readonly keys: Pick<KeyRing, 'publicJwks' | 'signingKey'>;
  /** The private keys, since the library signs itself. */
  readonly openPrivateKeys: () => ReturnType<typeof openPrivateJwks>;
  readonly algorithm: AsymmetricAlgorithm;
  /** The `typ` of self-contained access tokens. Default `at+jwt`. */
  readonly accessTokenType?: AccessTokenType;
  /** The algorithms of the key set, the default of ID tokens first. */
  readonly signingAlgorithms: readonly AsymmetricAlgorithm[];
  /** Whether access tokens of grants with `offline_access` end with the session. Default false. */
  readonly endsOfflineAccess?: boolean;
  readonly supported: SupportedMetadata;
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly clientCertificate: (request: IncomingMessage) => ClientCertificateReading;
  readonly interaction: Interaction;
  readonly provider: ProviderSettings;
  /** Delays responses to failed client authentications; without it they are sent at once. */
  readonly failedAuthentications?: FailedAuthenticationThrottle;
  /** Limits what is stored for requests without authentication. Default: no limit. */
  readonly storedRequests?: StoredRequestLimit;
  /** The scope values that anyone may register; absent if open registration is off. */
  readonly openScopes?: readonly string[];
  /** Absent if federation is not enabled. */
  readonly automatic?: AutomaticClients;
  /** Absent if client ID metadata documents are off. */
  readonly documents?: DocumentClients;
  /** Called for each failed client authentication. */
  readonly onRefusedClient: (refused: RefusedClient) => void;
  /** Called for each internal error of the library, for the log. */
  readonly onProblem: (error: unknown) => void;
}
