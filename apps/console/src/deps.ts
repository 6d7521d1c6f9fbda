import type { KeyEncryptionKeys } from '@vestibule/crypto/data-keys';
import type { Store } from '@vestibule/database';
import type { Federation } from '@vestibule/federation-service';
import type { AsymmetricAlgorithm } from '@vestibule/protocol/constants';
import type { RegistrationServiceDeps } from '@vestibule/registration';
import type { OverviewFigures } from './figures/overview-figures.js';
import type { Operator } from './frame/operator.js';
import type { LoginClient } from './login/login-client.js';
import type { KeyCopySeconds } from './pages/keys/keys-deps.js';
import type { TokenIntrospection } from './pages/token/token-deps.js';

/** Dependencies of client operations: those of the registration service without its rate limits. */
export type ClientOperations = Omit<RegistrationServiceDeps, 'limits'>;

/** How initial access tokens are issued, by the settings that all programs share (`INITIAL_TOKEN_SETTINGS`). */
export interface InitialTokenTerms {
  /** Length of an identifier-based token, in characters. */
  readonly tokenLength: number;
  /** Signs tokens in JWT format. */
  readonly algorithm: AsymmetricAlgorithm;
  /** Lifetime of a token for which none was entered. */
  readonly lifetimeSeconds: number;
}

/** What the pages of the console work on. Each group of pages names the parts that it uses. */
export interface ConsoleDeps {
  readonly store: Store;
  /** The issuer, which is the address that clients know (`BASE_URL`). */
  readonly issuer: string;
  readonly registration: ClientOperations;
  /** The client of the console itself; absent if people log in at another provider. */
  readonly loginClient?: LoginClient | undefined;
  readonly initialTokens: InitialTokenTerms;
  readonly keyEncryptionKeys: KeyEncryptionKeys;
  /** The rules of the introspection service, from its settings (`composeIntrospection` without a cache). */
  readonly introspection: TokenIntrospection;
  /** `KEY_SET_MAX_AGE_SECONDS` and `FEDERATION_STATEMENT_LIFETIME_SECONDS` of the services that publish keys. */
  readonly keyCopySeconds: KeyCopySeconds;
  /** Absent if federation is not enabled. */
  readonly federation?: Federation | undefined;
  /**
   * Counts an export of audit events by a person.
   * @throws ThrottledError if there are too many
   */
  readonly admitExport: (operator: Operator) => Promise<void>;
  readonly overview: OverviewFigures;
}
