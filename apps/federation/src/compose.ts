import {
  createMasterToken,
  DEFAULT_REGISTRATION_SETTINGS,
  type RegistrationDeps,
  type RegistrationSettings,
  tokenBuckets,
} from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { createEgress, type Egress, sectorIdentifierSource } from '@vestibule/egress';
import {
  DEFAULT_DISCOVERY_LIMITS,
  type EntityId,
  parseEntityId,
  parseTrustAnchors,
} from '@vestibule/federation';
import { defaultSupportedMetadata } from '@vestibule/metadata';
import { type Clock, type JsonObject, systemClock } from '@vestibule/protocol';
import { OPEN_RIGHTS, uniteRegistrationRights } from '@vestibule/scopes';
import { admission } from './admission.js';
import type { FederationServiceConfig } from './config.js';
import type { Federation, FederationServiceDeps, OwnEntity } from './deps.js';
import { fetchedProviderMetadata } from './provider-metadata.js';
import { statementCache } from './statement-cache.js';
import { statementFetchers } from './statement-fetcher.js';

/** What a service can be given beside its settings and the store. */
export interface FederationParts {
  /** The machine's own unless given. */
  readonly clock?: Clock;
  /** The way out of the process; one of its own, so that no stranger's federation keeps others waiting, unless given. */
  readonly egress?: Egress;
  /** The discovery document of the authorisation server; fetched from there unless given. */
  readonly providerMetadata?: () => Promise<JsonObject>;
}

type FederationStore = Pick<Store, 'database' | 'sealer' | 'digester' | 'providerKeys' | 'federationKeys'>;

/** The service's dependencies over a store, as its settings want them. */
export function composeFederation(
  config: FederationServiceConfig,
  store: FederationStore,
  parts: FederationParts = {},
): FederationServiceDeps {
  const masterToken = createMasterToken(config.MASTER_TOKEN_SHA256);
  if (!config.FEDERATION_ENABLED) return { masterToken };
  const { clock = systemClock } = parts;
  const { egress = createEgress({ allowHosts: config.EGRESS_ALLOW_HOSTS, clock }) } = parts;
  const { FEDERATION_CACHE_SECONDS: maxSeconds, EGRESS_ALLOW_HOSTS: allowHosts } = config;
  const federation: Federation = {
    clock,
    provider: ownEntity(config, store, { ...parts, clock, egress }),
    anchors: parseTrustAnchors(config.FEDERATION_TRUST_ANCHORS, allowHosts),
    maxPathLength: config.FEDERATION_MAX_PATH_LENGTH,
    requiredMarks: config.FEDERATION_REQUIRED_TRUST_MARKS,
    allowHosts,
    rights: uniteRegistrationRights(OPEN_RIGHTS, config.FEDERATION_RIGHTS),
    clientLifetimeSeconds: config.FEDERATION_CLIENT_LIFETIME_SECONDS,
    limits: DEFAULT_DISCOVERY_LIMITS,
    fetchers: statementFetchers({
      egress,
      clock,
      failureMemorySeconds: config.FEDERATION_FAILURE_MEMORY_SECONDS,
    }),
    ...(maxSeconds > 0 && { cache: statementCache({ clock, maxSeconds }) }),
    registration: registrationDeps(config, store, { clock, egress, masterToken }),
    admit: admissionOf(config, clock),
  };
  return { masterToken, federation };
}

function ownEntity(
  config: FederationServiceConfig,
  { providerKeys, federationKeys }: FederationStore,
  { clock, egress, providerMetadata }: FederationParts & Required<Pick<FederationParts, 'clock' | 'egress'>>,
): OwnEntity {
  const issuer = config.BASE_URL;
  const url = config.PROVIDER_METADATA_URL ?? `${issuer}/.well-known/openid-configuration`;
  return {
    self: selfOf(config),
    keys: federationKeys,
    providerKeys,
    providerMetadata: providerMetadata ?? fetchedProviderMetadata({ egress, clock, url, issuer }),
    authorityHints: config.FEDERATION_AUTHORITY_HINTS,
    trustMarks: config.FEDERATION_TRUST_MARKS,
    organizationName: config.FEDERATION_ORGANIZATION_NAME,
    statementLifetimeSeconds: config.FEDERATION_STATEMENT_LIFETIME_SECONDS,
  };
}

function selfOf({ BASE_URL, EGRESS_ALLOW_HOSTS }: FederationServiceConfig): EntityId {
  const self = parseEntityId(BASE_URL, EGRESS_ALLOW_HOSTS);
  if (self === undefined) throw new TypeError('BASE_URL is no entity identifier');
  return self;
}

function admissionOf(config: FederationServiceConfig, clock: Clock): Federation['admit'] {
  if (!config.RATE_LIMITS_ENABLED) return async () => {};
  return admission(tokenBuckets({ clock }), {
    perNetwork: config.FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK,
    overall: config.FEDERATION_REGISTRATIONS_PER_MINUTE,
  });
}

function registrationDeps(
  config: FederationServiceConfig,
  { database, digester, sealer }: FederationStore,
  {
    clock,
    egress,
    masterToken,
  }: Pick<RegistrationDeps, 'clock' | 'masterToken'> & { readonly egress: Egress },
): RegistrationDeps {
  return {
    clients: database.clients,
    rememberedAnswers: database.rememberedAnswers,
    masterToken,
    digester,
    sealer,
    clock,
    random: secureRandom,
    supported: defaultSupportedMetadata({
      grantTypes: config.REGISTRABLE_GRANT_TYPES,
      signingAlgorithms: config.SIGNING_ALGORITHMS,
    }),
    settings: registrationSettings(config),
    sectorIdentifiers: sectorIdentifierSource(egress),
  };
}

function registrationSettings(config: FederationServiceConfig): RegistrationSettings {
  return {
    ...DEFAULT_REGISTRATION_SETTINGS,
    issuer: config.BASE_URL,
    allowOpenRegistration: false,
    clientIdLength: config.CLIENT_ID_LENGTH,
    clientSecretLength: config.CLIENT_SECRET_LENGTH,
    clientSecretLifetimeSeconds: config.CLIENT_SECRET_LIFETIME_SECONDS,
    clientSecretOverlapSeconds: config.CLIENT_SECRET_OVERLAP_SECONDS,
    earlierSecretRetentionSeconds: config.EARLIER_SECRET_RETENTION_SECONDS,
    metadata: {
      allowLoopbackRedirectUris: config.ALLOW_LOOPBACK_REDIRECT_URIS,
      egressAllowHosts: config.EGRESS_ALLOW_HOSTS,
    },
  };
}
