import type { MasterToken } from '@vestibule/crypto';
import type { Digester, Encryptor } from '@vestibule/crypto/data-keys';
import type { SupportedMetadata } from '@vestibule/metadata';
import type { Clock, RandomSource } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { ClientRepository } from '../client-repository.js';
import type { RegistrationPolicy } from '../policy/registration-policy.js';
import type { IdempotencyRecordStore } from './idempotency-record.js';
import type { InitialAccessTokenStore, InitialTokenReader } from './initial-access-token.js';
import type { RegistrationLimits } from './registration-limits.js';
import type { RegistrationSettings } from './registration-settings.js';

/** Reads the documents at `sector_identifier_uri`. */
export interface SectorIdentifierSource {
  /**
   * Returns the JSON value at the URI.
   * @throws DomainError `invalid_client_metadata` when it cannot be fetched, whatever the reason; `too_many_requests`
   *   when there is no capacity to fetch it.
   */
  read(uri: string): Promise<unknown>;
}

/** Verifies software statements (RFC 7591 section 2.3). */
export interface SoftwareStatementVerifier {
  /**
   * Returns the claims of a statement after verifying signature, times and issuer.
   * @throws DomainError `invalid_software_statement` or `unapproved_software_statement`; `too_many_requests` when there
   *   is no capacity to fetch the keys of its issuer.
   */
  verify(statement: string): Promise<JsonObject>;

  /**
   * Returns the claims of a statement that was verified when it was registered. Its issuer must still be trusted; its
   * times and signature, whose key may be gone, are not verified again.
   * @throws DomainError as `verify` does.
   */
  readVerified(statement: string): Promise<JsonObject>;
}

/** Recognizes live access tokens, which authorize nothing here but are not unknown tokens either. */
export interface AccessTokenRecognizer {
  isAccessToken(token: string): Promise<boolean>;
}

/** Dependencies of authorizing a registration. */
export interface RegistrationAuthorityDeps {
  readonly masterToken: MasterToken;
  readonly initialAccessTokens: InitialAccessTokenStore;
  readonly accessTokens: AccessTokenRecognizer;
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
  /** Without it, initial access tokens in JWT format are unknown. */
  readonly initialTokenReader?: InitialTokenReader;
}

/** Dependencies of registering and managing clients. */
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
  /** Without it, a `sector_identifier_uri` is refused, because it cannot be verified. */
  readonly sectorIdentifiers?: SectorIdentifierSource;
  /** Without it, there are no rate limits. */
  readonly limits?: Pick<RegistrationLimits, 'admitSoftware' | 'checkSoftware' | 'admitSectorCheck'>;
  /** Without it, every software statement is refused as untrusted. */
  readonly softwareStatements?: SoftwareStatementVerifier;
  /** Without it, whatever the rules and granted scopes permit is registered as requested. */
  readonly policy?: RegistrationPolicy;
}
