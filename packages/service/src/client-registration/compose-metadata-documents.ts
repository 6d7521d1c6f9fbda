import {
  type DocumentClientDeps,
  type DocumentClients,
  type DocumentExplanation,
  type DocumentExplanationDeps,
  type DocumentSettings,
  documentClients,
  explainDocument,
} from '@vestibule/clients/metadata-documents';
import { declaredPolicy } from '@vestibule/clients/policy';
import {
  DEFAULT_REGISTRATION_SETTINGS,
  openGrantedScopes,
  type RegistrationDeps,
} from '@vestibule/clients/registration';
import { createMasterToken, secureRandom, sha256 } from '@vestibule/crypto';
import type { Store } from '@vestibule/database';
import { clientDocumentSource, createEgress, type Egress, sectorIdentifierSource } from '@vestibule/egress';
import type { Clock } from '@vestibule/protocol';
import { type RateLimitStore, tokenBuckets } from '@vestibule/protocol/rate-limits';
import { nodeScheduler } from '@vestibule/protocol/runtime';
import { NO_SCOPES, uniteGrantedScopes } from '@vestibule/scopes';
import Type, { type Static } from 'typebox';
import { commonRegistrationSettings, supportedClientMetadata } from '../registration/client-registration.js';
import { CLIENT_SETTINGS } from '../shared-settings/client-settings.js';
import { EGRESS_SETTINGS } from '../shared-settings/egress-settings.js';
import { OAUTH_SETTINGS } from '../shared-settings/oauth-settings.js';
import { SHARED_SETTINGS } from '../shared-settings/shared-settings.js';
import { admitFetches, UNLIMITED_FETCHES } from './admit-fetches.js';
import { METADATA_DOCUMENT_SETTINGS } from './metadata-document-settings.js';
import { REGISTRATION_POLICY_SETTINGS } from './registration-policy-settings.js';

/** Settings of client ID metadata documents, with those that all registrations share. */
export const MetadataDocumentSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ...CLIENT_SETTINGS,
  ...EGRESS_SETTINGS,
  ...METADATA_DOCUMENT_SETTINGS,
  ...REGISTRATION_POLICY_SETTINGS,
});

/** Those settings, validated. */
export type MetadataDocumentConfig = Readonly<Static<typeof MetadataDocumentSettings>>;

/** Dependencies that the service provides. */
export interface MetadataDocumentParts
  extends Pick<DocumentClientDeps, 'onRefused' | 'onValidated' | 'onProblem'> {
  readonly clock: Clock;
  readonly egress: Pick<Egress, 'fetchDocument' | 'fetchCacheable'>;
  /** Counters of fetches. Default: counters of this process alone. */
  readonly rateLimits?: RateLimitStore;
}

type DocumentStores = Pick<Store, 'database' | 'encryptor' | 'digester' | 'clock'>;

/** Composes the look-up of clients by their documents; `undefined` if they are off. */
export function composeMetadataDocuments(
  config: MetadataDocumentConfig,
  store: DocumentStores,
  parts: MetadataDocumentParts,
): DocumentClients | undefined {
  const deps = metadataDocumentDeps(config, store, parts);
  if (deps === undefined) return undefined;
  const { clock, rateLimits = tokenBuckets({ clock }), onRefused, onValidated, onProblem } = parts;
  const limits = {
    perNetwork: config.METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_NETWORK,
    overall: config.METADATA_DOCUMENT_FETCHES_PER_MINUTE,
    perHost: config.METADATA_DOCUMENT_FETCHES_PER_MINUTE_AND_HOST,
  };
  return documentClients({
    ...deps,
    scheduler: nodeScheduler,
    monotonic: () => performance.now(),
    admit: admitFetches(rateLimits, config.RATE_LIMITS_ENABLED ? limits : UNLIMITED_FETCHES),
    onRefused,
    onValidated,
    onProblem,
  });
}

/** Fetches a document now and explains what would come of it; `undefined` if documents are off. Changes nothing. */
export async function explainMetadataDocument(
  config: MetadataDocumentConfig,
  store: DocumentStores,
  url: string,
): Promise<DocumentExplanation | undefined> {
  const { clock } = store;
  const egress = createEgress({ allowHosts: config.EGRESS_ALLOW_HOSTS, clock });
  const deps = metadataDocumentDeps(config, store, { clock, egress });
  return deps && explainDocument(deps, url);
}

/** Composes what evaluates documents; `undefined` if they are off. */
function metadataDocumentDeps(
  config: MetadataDocumentConfig,
  { database, digester, encryptor }: DocumentStores,
  { clock, egress }: Pick<MetadataDocumentParts, 'clock' | 'egress'>,
): (DocumentExplanationDeps & Pick<DocumentClientDeps, 'store'>) | undefined {
  const { CLIENT_ID_METADATA_DOCUMENTS: hosts, REGISTRATION_POLICY: declared } = config;
  if (hosts === 'off') return undefined;
  const registration: RegistrationDeps = {
    clients: database.clients,
    idempotencyRecords: database.idempotencyRecords,
    // A document registers without any credential.
    masterToken: createMasterToken([]),
    digester,
    encryptor,
    clock,
    random: secureRandom,
    supported: supportedClientMetadata(config),
    settings: {
      ...DEFAULT_REGISTRATION_SETTINGS,
      ...commonRegistrationSettings(config),
      allowOpenRegistration: false,
    },
    sectorIdentifiers: sectorIdentifierSource(egress),
    ...(declared && { policy: declaredPolicy(declared) }),
  };
  const ofAnyone = openGrantedScopes([], config.OPEN_REGISTRATION_SCOPES);
  const grantedScopes = uniteGrantedScopes(ofAnyone, config.METADATA_DOCUMENT_RIGHTS ?? NO_SCOPES);
  const uris = config.METADATA_DOCUMENT_URIS;
  const { supported, settings } = registration;
  const rules = digestOf([grantedScopes, uris, declared, supported, settings]);
  return {
    registration,
    settings: {
      ...lifetimes(config),
      hosts,
      allowHosts: config.EGRESS_ALLOW_HOSTS,
      grantedScopes,
      uris,
      rules,
    },
    store: database.clientDocuments,
    source: clientDocumentSource(egress, { maxBytes: config.METADATA_DOCUMENT_MAX_BYTES }),
  };
}

/** A digest of values, which are equal if it is. */
function digestOf(values: readonly unknown[]): string {
  const text = JSON.stringify(values, (_name, value: unknown) =>
    value instanceof Map || value instanceof Set ? [...value] : value,
  );
  return Buffer.from(sha256(text)).toString('base64url');
}

type Lifetimes = Omit<DocumentSettings, 'hosts' | 'allowHosts' | 'grantedScopes' | 'uris' | 'rules'>;

function lifetimes(config: MetadataDocumentConfig): Lifetimes {
  return {
    minSeconds: config.METADATA_DOCUMENT_MIN_SECONDS,
    maxSeconds: config.METADATA_DOCUMENT_MAX_SECONDS,
    staleSeconds: config.METADATA_DOCUMENT_STALE_SECONDS,
    retrySeconds: config.METADATA_DOCUMENT_RETRY_SECONDS,
    unusedSeconds: config.METADATA_DOCUMENT_UNUSED_SECONDS,
    maxUnused: config.RATE_LIMITS_ENABLED ? config.METADATA_DOCUMENT_MAX_UNUSED : 0,
    withdrawn: config.METADATA_DOCUMENT_WITHDRAWN,
    withdrawnSeconds: config.METADATA_DOCUMENT_WITHDRAWN_SECONDS,
  };
}
