import type { Digester, Encryptor } from '@vestibule/crypto';
import type { SupportedMetadata } from '@vestibule/metadata';
import type { Clock, JsonObject, RandomSource } from '@vestibule/protocol';
import type { ClientRepository } from './client-repository.js';
import type { IdempotencyRecordStore } from './idempotency-record.js';
import type { InitialAccessTokenStore } from './initial-access-token.js';
import type { RegistrationLimits } from './limits/registration-limits.js';
import type { MasterToken } from './master-token.js';
import type { RegistrationPolicy } from './policy/registration-policy.js';
import type { RegistrationSettings } from './registration-settings.js';

/** Reads the documents behind `sector_identifier_uri`. */
export interface SectorIdentifierSource {
  /**
   * The JSON value at the address.
   * @throws DomainError `invalid_client_metadata` when it cannot be had, whatever the reason; `too_many_requests` when
   *   there is no room to ask for it.
   */
  read(uri: string): Promise<unknown>;
}

/** Judges software statements (RFC 7591 section 2.3). */
export interface SoftwareStatementVerifier {
  /**
   * The claims of a statement whose signature, times and issuer are verified.
   * @throws DomainError `invalid_software_statement` or `unapproved_software_statement`; `too_many_requests` when there
   *   is no room to ask for the keys of its issuer.
   */
  verify(statement: string): Promise<JsonObject>;

  /**
   * The claims of a statement that was verified when it was registered. Its issuer must be trusted still; its times,
   * and its signature, whose key may be gone, are not judged anew.
   * @throws DomainError as `verify` does.
   */
  readVerified(statement: string): Promise<JsonObject>;
}

/** Reads initial access tokens that are JWTs. */
export interface InitialTokenReader {
  /**
   * What the token is kept under in place of its own text, which no bearer token can be; `undefined` for everything
   * that is not a live initial access token of ours in that form.
   */
  read(token: string): Promise<string | undefined>;
}

/** Tells live access tokens, which authorise nothing here, from tokens that nobody issued. */
export interface AccessTokenRecogniser {
  isAccessToken(token: string): Promise<boolean>;
}

/** What deciding on a credential for a registration takes. */
export interface RegistrationAuthorityDeps {
  readonly masterToken: MasterToken;
  readonly initialAccessTokens: InitialAccessTokenStore;
  readonly accessTokens: AccessTokenRecogniser;
  readonly idempotencyRecords: IdempotencyRecordStore;
  readonly digester: Digester;
  readonly clock: Clock;
  readonly settings: Pick<
    RegistrationSettings,
    | 'issuer'
    | 'allowOpenRegistration'
    | 'openRegistrations'
    | 'idempotencyRetentionSeconds'
    | 'initialTokenAudienceRequired'
  >;
  /** Without it initial access tokens in the form of JWTs are unknown. */
  readonly initialTokenReader?: InitialTokenReader;
}

/** What registering and managing clients takes. */
export interface RegistrationDeps {
  readonly clients: ClientRepository;
  readonly idempotencyRecords: IdempotencyRecordStore;
  readonly masterToken: MasterToken;
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly supported: SupportedMetadata;
  readonly settings: RegistrationSettings;
  /** Without it a `sector_identifier_uri` is refused, because nothing vouches for it. */
  readonly sectorIdentifiers?: SectorIdentifierSource;
  /** Without it nobody is throttled. */
  readonly limits?: Pick<RegistrationLimits, 'admitSoftware' | 'checkSoftware' | 'admitSectorCheck'>;
  /** Without it every software statement is refused as one that is not trusted here. */
  readonly softwareStatements?: SoftwareStatementVerifier;
  /** Without it whatever the rules and rights permit is registered as it was asked for. */
  readonly policy?: RegistrationPolicy;
}
