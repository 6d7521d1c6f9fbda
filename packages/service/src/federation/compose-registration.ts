import {
  DEFAULT_REGISTRATION_SETTINGS,
  openGrantedScopes,
  type RegistrationDeps,
} from '@vestibule/clients/registration';
import { type MasterToken, secureRandom } from '@vestibule/crypto';
import type { FederationRecords, Store } from '@vestibule/database';
import { documentFetchers, type Egress, sectorIdentifierSource, statementFetchers } from '@vestibule/egress';
import { type EntityId, parseEntityId } from '@vestibule/federation';
import {
  type ConditionsByAnchor,
  DEFAULT_DISCOVERY_LIMITS,
  parseTrustAnchors,
} from '@vestibule/federation/chains';
import {
  admission,
  type FederationRegistrationDeps,
  type SharedStatements,
  statementCache,
} from '@vestibule/federation/clients';
import type { Clock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { tokenBuckets } from '@vestibule/protocol/rate-limits';
import { type GrantedScopes, NO_SCOPES, uniteGrantedScopes } from '@vestibule/scopes';
import Type, { type Static } from 'typebox';
import { commonRegistrationSettings, supportedClientMetadata } from '../registration/client-registration.js';
import { CLIENT_SETTINGS } from '../shared-settings/client-settings.js';
import { EGRESS_SETTINGS } from '../shared-settings/egress-settings.js';
import { OAUTH_SETTINGS } from '../shared-settings/oauth-settings.js';
import { SHARED_SETTINGS } from '../shared-settings/shared-settings.js';
import { followAnchorFile } from './anchor-file.js';
import type { FederationRegistrationMetrics } from './registration-metrics.js';
import { FEDERATION_REGISTRATION_SETTINGS } from './registration-settings.js';

const FederationRegistrationSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  RATE_LIMITS_ENABLED: SHARED_SETTINGS.RATE_LIMITS_ENABLED,
  REGISTRABLE_GRANT_TYPES: OAUTH_SETTINGS.REGISTRABLE_GRANT_TYPES,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  SIGNING_ALGORITHMS: OAUTH_SETTINGS.SIGNING_ALGORITHMS,
  ...CLIENT_SETTINGS,
  ...EGRESS_SETTINGS,
  ...FEDERATION_REGISTRATION_SETTINGS,
});

/** Settings of federation registration. */
export type FederationRegistrationConfig = Readonly<Static<typeof FederationRegistrationSettings>>;

/** Dependencies that the service provides. */
export interface FederationRegistrationParts {
  readonly clock: Clock;
  readonly egress: Pick<Egress, 'fetchDocument'>;
  readonly masterToken: MasterToken;
  readonly metrics: FederationRegistrationMetrics;
  /** Reports problems at run time, for the log. */
  readonly onProblem: (error: unknown) => void;
  /** Provider metadata as published in the entity configuration; rejects if it is not available. */
  readonly providerMetadata: () => Promise<JsonObject>;
}

type FederationRegistrationStore = Pick<Store, 'database' | 'encryptor' | 'digester'>;

/**
 * Composes federation registration on a store. Statement caches, counters and the negative cache belong to this
 * process.
 */
export function composeFederationRegistration(
  config: FederationRegistrationConfig,
  store: FederationRegistrationStore,
  parts: FederationRegistrationParts,
): FederationRegistrationDeps {
  const { clock } = parts;
  const { database } = store;
  const { EGRESS_ALLOW_HOSTS: allowHosts } = config;
  return {
    clock,
    self: selfOf(config),
    anchors: anchorsOf(config, parts),
    maxPathLength: config.FEDERATION_MAX_PATH_LENGTH,
    requiredMarks: config.FEDERATION_REQUIRED_TRUST_MARKS,
    byAnchor: conditionsByAnchor(config),
    allowHosts,
    grantedScopes: grantedScopesByAnchor(config),
    limits: DEFAULT_DISCOVERY_LIMITS,
    controls: operatorControls(() => sharedStatements(config, parts), database.federation, allowHosts),
    registration: registrationDeps(config, store, parts),
    providerMetadata: parts.providerMetadata,
    admit: admissionOf(config, clock),
  };
}

/**
 * Builds the granted scopes under each trust anchor once: those of open registration, and those of the anchor's rules or
 * of FEDERATION_RIGHTS.
 */
function grantedScopesByAnchor({
  OPEN_REGISTRATION_SCOPES: open,
  FEDERATION_RIGHTS: ofEveryAnchor = NO_SCOPES,
  FEDERATION_ANCHOR_RULES: rules,
}: FederationRegistrationConfig): FederationRegistrationDeps['grantedScopes'] {
  const withOpen = (added: GrantedScopes) => uniteGrantedScopes(openGrantedScopes([], open), added);
  const underOthers = withOpen(ofEveryAnchor);
  const byAnchor = new Map(
    [...rules].map(([anchor, { grantedScopes = ofEveryAnchor }]) => [anchor, withOpen(grantedScopes)]),
  );
  return (anchor) => byAnchor.get(anchor) ?? underOthers;
}

function anchorsOf(
  config: FederationRegistrationConfig,
  { clock, onProblem }: FederationRegistrationParts,
): FederationRegistrationDeps['anchors'] {
  const { FEDERATION_TRUST_ANCHORS_FILE: path, EGRESS_ALLOW_HOSTS: allowHosts } = config;
  if (path !== undefined) return followAnchorFile({ path, allowHosts, clock, onProblem });
  const anchors = parseTrustAnchors(config.FEDERATION_TRUST_ANCHORS, allowHosts);
  return async () => anchors;
}

/** Maps anchor rules by entity identifier. Other keys were refused at startup. */
function conditionsByAnchor(config: FederationRegistrationConfig): ConditionsByAnchor {
  const rules = [...config.FEDERATION_ANCHOR_RULES].flatMap(
    ([id, { grantedScopes: _grantedScopes, ...conditions }]) => {
      const anchor = parseEntityId(id, config.EGRESS_ALLOW_HOSTS);
      return anchor === undefined ? [] : [[anchor, conditions] as const];
    },
  );
  return new Map(rules);
}

/** Creates a statement cache without earlier statements. */
function sharedStatements(
  config: FederationRegistrationConfig,
  { clock, egress, metrics: { fetch } }: FederationRegistrationParts,
): SharedStatements {
  const { FEDERATION_CACHE_SECONDS: maxSeconds, FEDERATION_NEGATIVE_CACHE_SECONDS: negativeCacheSeconds } =
    config;
  const options = { egress, clock, negativeCacheSeconds };
  const { final, draft } = statementFetchers(options);
  const { markStatus, signedKeySet } = documentFetchers(options);
  return {
    fetchers: {
      final: (address, signal) => fetch(final(address, signal)),
      draft: (address, signal) => fetch(draft(address, signal)),
    },
    documents: {
      markStatus: (address, mark, signal) => fetch(markStatus(address, mark, signal)),
      signedKeySet: (address, signal) => fetch(signedKeySet(address, signal)),
    },
    ...(maxSeconds > 0 && { cache: statementCache({ clock, maxSeconds }) }),
  };
}

/**
 * Returns the operators' decisions at the time of the call. After a purge, a resolution uses no statement from before
 * it.
 */
function operatorControls(
  newStatements: () => SharedStatements,
  records: Pick<FederationRecords, 'controls'>,
  allowHosts: readonly string[],
): FederationRegistrationDeps['controls'] {
  let statements = newStatements();
  let purgesSeen: number | undefined;
  return async () => {
    const { denied, purges } = await records.controls();
    if (purgesSeen !== undefined && purges !== purgesSeen) statements = newStatements();
    purgesSeen = purges;
    const entities = [...denied].flatMap((id) => parseEntityId(id, allowHosts) ?? []);
    return { denied: new Set(entities), statements };
  };
}

function selfOf({ BASE_URL, EGRESS_ALLOW_HOSTS }: FederationRegistrationConfig): EntityId {
  const self = parseEntityId(BASE_URL, EGRESS_ALLOW_HOSTS);
  if (self === undefined) throw new TypeError('BASE_URL is not an entity identifier');
  return self;
}

function admissionOf(
  config: FederationRegistrationConfig,
  clock: Clock,
): FederationRegistrationDeps['admit'] {
  if (!config.RATE_LIMITS_ENABLED) return async () => {};
  return admission(tokenBuckets({ clock }), {
    perNetwork: config.FEDERATION_REGISTRATIONS_PER_MINUTE_AND_NETWORK,
    overall: config.FEDERATION_REGISTRATIONS_PER_MINUTE,
  });
}

function registrationDeps(
  config: FederationRegistrationConfig,
  { database, digester, encryptor }: FederationRegistrationStore,
  { clock, egress, masterToken }: FederationRegistrationParts,
): RegistrationDeps {
  return {
    clients: database.clients,
    idempotencyRecords: database.idempotencyRecords,
    masterToken,
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
  };
}
