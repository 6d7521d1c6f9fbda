import type { RequestListener } from 'node:http';
import type { AccessTokenType, AsymmetricAlgorithm } from '@vestibule/protocol/constants';

/** The part of a provider of node-oidc-provider by which its type is recognized. */
export interface JoinableProvider {
  readonly issuer: string;
  callback(): (...exchange: Parameters<RequestListener>) => unknown;
}

/** Options of {@link joinProvider}. */
export interface JoinOptions<Configuration extends object, Instance extends JoinableProvider> {
  /** The issuer: the same as that of the provider, and as `BASE_URL` of the services. */
  readonly issuer: string;
  /** `DATABASE_URL` of the services. */
  readonly databaseUrl: string;
  /** `ENCRYPTION_KEYS` of the services. */
  readonly encryptionKeys: string;
  /** The configuration of the provider, without `adapter`, `jwks` and `clients`. */
  readonly configuration: Configuration;
  /**
   * Creates the provider with the configuration that it is given, and adds middleware, listeners and grant types. Called
   * at the start, and again when signing keys change.
   */
  readonly createProvider: (configuration: Configuration) => Instance;
  /** Grant types that `createProvider` adds with `registerGrantType`. Default: none. */
  readonly extensionGrantTypes?: readonly string[];
  /**
   * `SIGNING_ALGORITHMS` of the services: a signing key is created for each if there is none. Default: that of ID tokens
   * in `clientDefaults`, or RS256.
   */
  readonly signingAlgorithms?: readonly AsymmetricAlgorithm[];
  /** `ACCESS_TOKEN_TYP` of the services. */
  readonly accessTokenType?: AccessTokenType;
  /** `CLIENT_SECRET_OVERLAP_SECONDS` of the services. Default: 0. */
  readonly secretOverlapSeconds?: number;
  /** `LOGOUT_PATH` of the services. Default: `/logout`. */
  readonly logoutPath?: string;
  /** `LOGOUT_ENDS_OFFLINE_ACCESS_TOKENS`. Default: false. */
  readonly endsOfflineAccess?: boolean;
  /** How long to wait for a database that starts or is being migrated, in milliseconds. Default: 10,000. */
  readonly openTimeoutMs?: number;
  /** Called with one sentence for each problem after the start. Contains no secret. Default: a line on standard error. */
  readonly onProblem?: (problem: string) => void;
}

/** A provider on the shared store. */
export interface JoinedProvider<Instance> {
  /**
   * The provider, which may be kept: it follows the signing keys, also without requests. What changes it, such as `on`
   * and `use`, belongs in `createProvider`, and throws here.
   */
  readonly provider: Instance;
  /** Handles requests, always with the provider of the current keys; `provider.callback()` is the same. */
  callback(): RequestListener;
  /** Closes the connections to the database. */
  close(): Promise<void>;
}
