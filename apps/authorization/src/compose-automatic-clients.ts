import { createMasterToken } from '@vestibule/crypto';
import { createRemoteKeySets } from '@vestibule/crypto/public-keys';
import type { Store } from '@vestibule/database';
import { type Egress, keySetFetcher } from '@vestibule/egress';
import { automaticRegistration } from '@vestibule/federation/clients';
import { type Clock, DomainError } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { supportedClientMetadata } from '@vestibule/service';
import {
  composeFederationRegistration,
  type FederationRegistrationMetrics,
  refusalReason,
} from '@vestibule/service/federation';
import type { AuthorizationConfig } from './config.js';
import { discoveryDocument } from './discovery.js';
import type { AutomaticClients } from './provider/provider-deps.js';

/** Parts of automatic registration beside settings and store. */
export interface AutomaticClientParts {
  readonly clock: Clock;
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly onProblem: (error: unknown) => void;
  readonly metrics: FederationRegistrationMetrics;
  readonly onRefused: (refusal: RefusedRegistration) => void;
}

/** A refused automatic registration, in a form that may be logged. */
export interface RefusedRegistration {
  /** The beginning of the entity identifier. */
  readonly entity: string;
  /** One of a fixed set of words. */
  readonly reason: string;
  /** A fixed sentence, with the issuer and the subject of the statement that caused the refusal, if one did. */
  readonly detail: string;
}

const MAX_ENTITY_LENGTH = 200;

/** Composes automatic registration from the settings and a store. */
export function automaticClients(
  config: AuthorizationConfig,
  store: Pick<Store, 'database' | 'encryptor' | 'digester'>,
  { clock, egress, onProblem, metrics, onRefused }: AutomaticClientParts,
): AutomaticClients {
  const masterToken = createMasterToken(config.MASTER_TOKEN_SHA256);
  const federationDeps = {
    ...composeFederationRegistration(config, store, {
      clock,
      egress,
      masterToken,
      metrics,
      onProblem,
      providerMetadata: async () =>
        discoveryDocument({ issuer: config.BASE_URL, supported: supportedClientMetadata(config) }),
    }),
    replays: store.database.replays,
    requestEndpoints: [ENDPOINT_PATH.authorization, ENDPOINT_PATH.pushedAuthorization].map(
      (path) => config.BASE_URL + path,
    ),
    remoteKeySets: createRemoteKeySets({ fetch: keySetFetcher(egress), clock }),
    clientLifetimeSeconds: config.FEDERATION_AUTOMATIC_CLIENT_LIFETIME_SECONDS,
    proofMaxLifetimeSeconds: config.ASSERTION_MAX_LIFETIME_SECONDS,
    negativeCacheSeconds: config.FEDERATION_NEGATIVE_CACHE_SECONDS,
  };
  const registration = automaticRegistration(federationDeps, onProblem);
  return {
    ...registration,
    allowHosts: federationDeps.allowHosts,
    register: (registrationRequest) =>
      metrics
        .registration('automatic', registration.register(registrationRequest))
        .catch((error: unknown) => {
          const reason = refusalReason(error);
          if (error instanceof DomainError && reason !== undefined)
            onRefused({ entity: shownEntity(registrationRequest.clientId), reason, detail: error.message });
          throw error;
        }),
  };
}

function shownEntity(clientId: unknown): string {
  return String(clientId).slice(0, MAX_ENTITY_LENGTH);
}
