import type { MetadataSettings } from '@vestibule/metadata';
import { STRICT_METADATA_SETTINGS } from '@vestibule/metadata';
import type { Issuer } from '@vestibule/protocol';
import { DEFAULT_OPEN_REGISTRATION_SETTINGS, type OpenRegistrationSettings } from './open-registration.js';

/** Settings of registration. Times are whole seconds, lengths are characters. */
export interface RegistrationSettings {
  /** Our issuer identifier; the registration endpoint is below it. */
  readonly issuer: Issuer;
  /** Whether anyone may register, within the limits of registration/API.md#modes. */
  readonly allowOpenRegistration: boolean;
  /** Length of generated client identifiers. Default 22: 130 bits. */
  readonly clientIdLength: number;
  /** Length of generated secrets; longer for a client whose HMAC algorithms need it. Default 43: 256 bits. */
  readonly clientSecretLength: number;
  /** Length of registration access tokens. Default 43: 256 bits. */
  readonly registrationTokenLength: number;
  /** Lifetime of a secret. Default 0: for ever. */
  readonly clientSecretLifetimeSeconds: number;
  /**
   * Whether every update issues a new secret (registration/API.md#update). If false, only an expired or too short
   * secret is replaced. Default true.
   */
  readonly rotateSecretOnUpdate: boolean;
  /** Whether every update issues a new registration access token (registration/API.md#update). Default true. */
  readonly rotateRegistrationTokenOnUpdate: boolean;
  /** How long a replaced registration access token works while its successor was never used. Default 600. */
  readonly registrationTokenOverlapSeconds: number;
  /** How long a replaced secret still authenticates. Default 0: not at all. */
  readonly clientSecretOverlapSeconds: number;
  /** How long a replaced secret is kept for ID token hints made under it. Default 2,592,000: 30 days. */
  readonly previousSecretRetentionSeconds: number;
  /** Whether every registration needs a software statement. Default false. */
  readonly softwareStatementRequired: boolean;
  /** How long the response to a registration with an idempotency key is stored. 0: keys are ignored. Default 86,400. */
  readonly idempotencyRetentionSeconds: number;
  /** Settings of registrations without a token. */
  readonly openRegistrations: OpenRegistrationSettings;
  /** Whether an initial access token must have an audience. Default true. */
  readonly initialTokenAudienceRequired: boolean;
  readonly metadata: MetadataSettings;
}

/** The default settings. */
export const DEFAULT_REGISTRATION_SETTINGS: Omit<RegistrationSettings, 'issuer' | 'allowOpenRegistration'> = {
  clientIdLength: 22,
  clientSecretLength: 43,
  registrationTokenLength: 43,
  clientSecretLifetimeSeconds: 0,
  rotateSecretOnUpdate: true,
  rotateRegistrationTokenOnUpdate: true,
  registrationTokenOverlapSeconds: 600,
  clientSecretOverlapSeconds: 0,
  previousSecretRetentionSeconds: 2_592_000,
  softwareStatementRequired: false,
  idempotencyRetentionSeconds: 86_400,
  openRegistrations: DEFAULT_OPEN_REGISTRATION_SETTINGS,
  initialTokenAudienceRequired: true,
  metadata: STRICT_METADATA_SETTINGS,
};
