import { createMasterToken } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { createEgress, type Egress } from '@vestibule/egress';
import type { FederationRegistrationDeps } from '@vestibule/federation/clients';
import type { Clock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import {
  composeFederationRegistration,
  type FederationRegistrationMetrics,
  NO_FEDERATION_REGISTRATION_METRICS,
} from '@vestibule/service/federation';
import type { FederationServiceConfig } from './config.js';
import type { FederationServiceDeps, OwnEntity } from './deps.js';
import { entityInformation } from './entity-information.js';
import { fetchedProviderMetadata } from './provider-metadata.js';

/** Parts that can be given beside the settings and the store. Each has a default. */
export interface FederationParts {
  /** Default: the clock of the store. */
  readonly clock?: Clock;
  /** Default: a client for outgoing requests of its own, so that slow federations do not delay other requests. */
  readonly egress?: Egress;
  /** Metrics of registrations. Default: none. */
  readonly metrics?: FederationRegistrationMetrics;
  /** Called for each problem while the service runs, for the log. Default: ignored. */
  readonly onProblem?: (error: unknown) => void;
  /** The discovery document of the authorization server. Default: fetched from there. */
  readonly providerMetadata?: () => Promise<JsonObject>;
}

type FederationStore = Pick<
  Store,
  'database' | 'encryptor' | 'digester' | 'providerKeys' | 'federationKeys' | 'clock'
>;

/** Composes the dependencies of the service from its settings and a store. */
export function composeFederation(
  config: FederationServiceConfig,
  store: FederationStore,
  parts: FederationParts = {},
): FederationServiceDeps {
  const masterToken = createMasterToken(config.MASTER_TOKEN_SHA256);
  const { BASE_URL: issuer, API_PAGE_ENABLED: hasApiPage } = config;
  if (!config.FEDERATION_ENABLED) return { issuer, masterToken, hasApiPage };
  const {
    clock = store.clock,
    metrics = NO_FEDERATION_REGISTRATION_METRICS,
    onProblem = () => undefined,
  } = parts;
  const { egress = createEgress({ allowHosts: config.EGRESS_ALLOW_HOSTS, clock }) } = parts;
  const { providerMetadata = providerMetadataOf(config, { clock, egress }) } = parts;
  const federationDeps = composeFederationRegistration(config, store, {
    clock,
    egress,
    masterToken,
    metrics,
    onProblem,
    providerMetadata,
  });
  return {
    issuer,
    masterToken,
    hasApiPage,
    federation: {
      ...federationDeps,
      metrics,
      provider: ownEntity(config, store, federationDeps),
      draftProfile: config.FEDERATION_OLDER_DIALECT,
      clientLifetimeSeconds: config.FEDERATION_CLIENT_LIFETIME_SECONDS,
    },
  };
}

function providerMetadataOf(
  { BASE_URL: issuer, PROVIDER_METADATA_URL }: FederationServiceConfig,
  { clock, egress }: Required<Pick<FederationParts, 'clock' | 'egress'>>,
): FederationRegistrationDeps['providerMetadata'] {
  const url = PROVIDER_METADATA_URL ?? `${issuer}/.well-known/openid-configuration`;
  return fetchedProviderMetadata({ egress, clock, url, issuer });
}

function ownEntity(
  config: FederationServiceConfig,
  { providerKeys, federationKeys, database }: FederationStore,
  { self, providerMetadata }: Pick<FederationRegistrationDeps, 'self' | 'providerMetadata'>,
): OwnEntity {
  return {
    self,
    keys: federationKeys,
    historicalKeys: database.federation.historicalKeys,
    providerKeys,
    providerMetadata,
    authorityHints: config.FEDERATION_AUTHORITY_HINTS,
    trustMarks: config.FEDERATION_TRUST_MARKS,
    information: entityInformation(config),
    statementLifetimeSeconds: config.FEDERATION_STATEMENT_LIFETIME_SECONDS,
    providerKeysMaxAgeSeconds: config.KEY_SET_MAX_AGE_SECONDS,
  };
}
