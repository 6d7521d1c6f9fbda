import { declaredPolicy, type RegistrationPolicy } from '@vestibule/clients/policy';
import {
  type AccessTokenRecognizer,
  DEFAULT_REGISTRATION_SETTINGS,
  type RegistrationSettings,
  type SoftwareStatementVerifier,
} from '@vestibule/clients/registration';
import { createSoftwareStatementVerifier } from '@vestibule/clients/software-statements';
import { createMasterToken, secureRandom } from '@vestibule/crypto';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import type { Store } from '@vestibule/database';
import { createEgress, type Egress, keySetFetcher, sectorIdentifierSource } from '@vestibule/egress';
import type { Clock } from '@vestibule/protocol';
import { type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';
import { commonRegistrationSettings, supportedClientMetadata } from '@vestibule/service';
import { clientCertificateOptions, clientCertificateReader } from '@vestibule/service/tls';
import { readLiveToken, type TokenStateDeps } from '@vestibule/tokens';
import { initialTokenReader } from '@vestibule/tokens/issuing';
import { composeVerification } from './compose-verification.js';
import type { RegistrationConfig } from './config.js';
import type { RegistrationServiceDeps } from './deps.js';
import { configuredLimits, openRegistrationSettings } from './open-registration-config.js';
import { policyWithTimeout } from './policy-timeout.js';
import type { RefusedCredential } from './verify-credential.js';

/** Optional parts of the service, beside its settings and the store. */
export interface RegistrationParts {
  /** Default: the clock of the store. */
  readonly clock?: Clock;
  /** Outbound HTTP. Default: a new one with the allowed hosts of the settings. */
  readonly egress?: Egress;
  /** Counters of registrations. Default: counters of this process alone. */
  readonly rateLimits?: RateLimitStore;
  /** Called for each credential that is not valid, for the log and for metrics. */
  readonly onRefusedCredential?: (refused: RefusedCredential) => void;
  /** Called for each registration that is refused after its credential was accepted, for metrics. */
  readonly onRefusedRegistration?: RegistrationServiceDeps['onRefusedRegistration'];
  /** Decides on registrations and updates in place of the declared policy, within 5 seconds per decision. */
  readonly policy?: RegistrationPolicy;
}

/**
 * Composes the service's dependencies over a store according to its settings.
 * @throws TypeError when a policy is passed although `REGISTRATION_POLICY` declares one: it would be unclear which one
 *   applies
 */
export function composeRegistration(
  config: RegistrationConfig,
  store: Store,
  parts: RegistrationParts = {},
): RegistrationServiceDeps {
  const { clock = store.clock, rateLimits = tokenBuckets({ clock }) } = parts;
  const { egress = createEgress({ allowHosts: config.EGRESS_ALLOW_HOSTS, clock }) } = parts;
  const { database, encryptor, digester, providerKeys } = store;
  const issuer = config.BASE_URL;
  const limits = configuredLimits(config, rateLimits);
  const policy = registrationPolicy(config, parts);
  return {
    clients: database.clients,
    initialAccessTokens: database.initialAccessTokens,
    idempotencyRecords: database.idempotencyRecords,
    initialTokenReader: initialTokenReader({ clock, issuer, keys: providerKeys }),
    accessTokens: accessTokenRecognizer({
      clock,
      issuer,
      digester,
      keys: providerKeys,
      accessTokens: database.accessTokens,
      revocations: database.revocations,
    }),
    masterToken: createMasterToken(config.MASTER_TOKEN_SHA256),
    digester,
    encryptor,
    clock,
    random: secureRandom,
    supported: supportedClientMetadata(config),
    clientCertificate: clientCertificateReader(clientCertificateOptions(config)),
    ...(limits && { limits }),
    verification: composeVerification(config, store, {
      clock,
      egress,
      onRefusedCredential: parts.onRefusedCredential,
    }),
    ...(policy && { policy }),
    onRefusedRegistration: parts.onRefusedRegistration,
    settings: registrationSettings(config),
    sectorIdentifiers: sectorIdentifierSource(egress),
    softwareStatements: softwareStatements(config, clock, egress),
    hasApiPage: config.API_PAGE_ENABLED,
    allowedOrigins: config.CORS_ALLOWED_ORIGINS,
    createdStatus: config.REGISTRATION_CREATED_STATUS,
  };
}

function registrationPolicy(
  { REGISTRATION_POLICY: declared }: RegistrationConfig,
  { policy }: RegistrationParts,
): RegistrationPolicy | undefined {
  if (declared === undefined) return policy && policyWithTimeout(policy);
  if (policy !== undefined) throw new TypeError('a policy is passed although REGISTRATION_POLICY is set');
  return declaredPolicy(declared);
}

function softwareStatements(
  config: RegistrationConfig,
  clock: Clock,
  egress: Egress,
): SoftwareStatementVerifier {
  return createSoftwareStatementVerifier({
    issuers: config.SOFTWARE_STATEMENT_ISSUERS,
    remoteKeySets: createRemoteKeySets({
      fetch: keySetFetcher(egress, { refusesOverload: true }),
      clock,
    }),
    clock,
    issuer: config.BASE_URL,
  });
}

function registrationSettings(config: RegistrationConfig): RegistrationSettings {
  return {
    ...commonRegistrationSettings(config),
    allowOpenRegistration: config.ALLOW_OPEN_REGISTRATION,
    registrationTokenLength: config.REGISTRATION_TOKEN_LENGTH,
    rotateSecretOnUpdate: config.ROTATE_SECRET_ON_UPDATE,
    rotateRegistrationTokenOnUpdate: config.ROTATE_REGISTRATION_TOKEN_ON_UPDATE,
    registrationTokenOverlapSeconds: DEFAULT_REGISTRATION_SETTINGS.registrationTokenOverlapSeconds,
    softwareStatementRequired: config.SOFTWARE_STATEMENT_REQUIRED,
    idempotencyRetentionSeconds: config.IDEMPOTENCY_RETENTION_SECONDS,
    openRegistrations: openRegistrationSettings(config),
    initialTokenAudienceRequired: config.INITIAL_TOKEN_AUDIENCE_REQUIRED,
  };
}

/** Recognizes live access tokens of both formats. */
export function accessTokenRecognizer(deps: TokenStateDeps): AccessTokenRecognizer {
  return { isAccessToken: async (token) => (await readLiveToken(deps, token)) !== undefined };
}
