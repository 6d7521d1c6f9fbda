import { isJsonObject } from '@vestibule/protocol/json';
import type { PairwiseSubjects } from '@vestibule/tokens/issuing';
import type { ProviderClient, ProviderContext, ProviderToken } from 'oidc-provider';
import type { TokenFacts } from '../access-token-of.js';
import type { AdapterFactory } from '../adapter-factory.js';
import { authenticationFacts } from '../authentication-facts.js';
import { REGISTERED_SCOPE } from '../client-view.js';
import type { JwtCustomizer } from '../jwt-customizer.js';
import type { PrivateJwk } from '../provider-host.js';
import type { ReplacingEndpoints } from './configuration-problems.js';
import { customizedJwt } from './customized-jwt.js';
import {
  isEnabled,
  type LibraryConfiguration,
  type LibraryFeature,
  textsOf,
} from './library-configuration.js';
import { publishedMembers } from './published-members.js';

/** What the configuration of a joined provider is made from, besides that of the team. */
export interface JoinedParts {
  readonly adapter: AdapterFactory;
  readonly customizer: JwtCustomizer;
  readonly endpoints: ReplacingEndpoints;
  readonly pairwise: PairwiseRecords;
  /** Returns the scope values that the registered resource server with this identifier declares. */
  readonly declaredBy: (resource: string) => Promise<readonly string[]>;
  /** Called with one sentence when a hook of the team does what it must not. */
  readonly onProblem: (problem: string) => void;
}

/** Pairwise subjects, which the logout page and back-channel logout look up. */
export interface PairwiseRecords {
  /** Creates subjects for a team without its own. */
  readonly create: PairwiseSubjects;
  /** Stores the subject of a team with its own. */
  readonly record: (sector: string, accountId: string, subject: string) => Promise<void>;
}

/** Adds to the configuration of a team what a provider on the shared store needs. */
export function joinedConfiguration(
  given: LibraryConfiguration,
  { adapter, customizer, endpoints, pairwise, declaredBy, onProblem }: JoinedParts,
  privateKeys: readonly PrivateJwk[],
): object {
  const { clients: _imported, features = {} } = given;
  const pairwiseIdentifier = storedPairwise(pairwise, given);
  return {
    ...given,
    clients: [],
    adapter,
    // The library refuses keys that it has no use for.
    jwks: {
      keys: privateKeys.filter(({ use }) => use !== 'enc' || isEnabled(features['encryption'], false)),
    },
    features: joinedFeatures(features, declaredBy),
    formats: {
      ...given.formats,
      customizers: {
        ...given.formats?.customizers,
        jwt: customizedJwt(customizer, given.formats?.customizers?.jwt, onProblem),
      },
    },
    extraClientMetadata: {
      ...given.extraClientMetadata,
      properties: [...textsOf(given.extraClientMetadata?.properties), REGISTERED_SCOPE],
    },
    extraTokenClaims: tokenFacts(given, pairwiseIdentifier),
    subjectTypes: given.subjectTypes ?? ['public', 'pairwise'],
    pairwiseIdentifier,
    discovery: { ...given.discovery, ...publishedMembers(endpoints) },
  };
}

function joinedFeatures(
  features: NonNullable<LibraryConfiguration['features']>,
  declaredBy: JoinedParts['declaredBy'],
): object {
  const off = { enabled: false };
  return {
    ...features,
    // Replaced by the endpoints of the services.
    registration: off,
    introspection: off,
    rpInitiatedLogout: off,
    // Only for `sid` in ID tokens.
    backchannelLogout: { enabled: true },
    ...(features['resourceIndicators'] && {
      resourceIndicators: limitedResources(features['resourceIndicators'], declaredBy),
    }),
  };
}

/**
 * A client that registered a scope gets no other scope values of a resource server, except those that the resource server
 * declares (`resource_scopes`): any client may request them for an end-user, who consents, also if the team does not list
 * them. A client that acts for itself gets no declared values that it did not register.
 */
function limitedResources(feature: LibraryFeature, declaredBy: JoinedParts['declaredBy']): LibraryFeature {
  const { getResourceServerInfo: find } = feature;
  if (typeof find !== 'function') return feature;
  return {
    ...feature,
    getResourceServerInfo: async (context: ProviderContext, indicator: unknown, client: ProviderClient) => {
      const found: unknown = await find(context, indicator, client);
      if (!isJsonObject(found)) return found;
      const isForItself = context.oidc.params?.['grant_type'] === 'client_credentials';
      const declared = typeof indicator === 'string' && !isForItself ? await declaredBy(indicator) : [];
      const listed = String(found['scope'] ?? '').split(' ');
      const registered = client[REGISTERED_SCOPE];
      const permitted = typeof registered === 'string' ? registered.split(' ') : listed;
      const values = [...listed.filter((value) => permitted.includes(value)), ...declared];
      return { ...found, scope: [...new Set(values)].join(' ').trim() };
    },
  };
}

type PairwiseIdentifier = (context: unknown, accountId: string, client: ProviderClient) => Promise<string>;

/** The subjects of the team are stored too: the logout page compares hints with them, and logout tokens name them. */
function storedPairwise(
  { create, record }: PairwiseRecords,
  { pairwiseIdentifier: theirs }: LibraryConfiguration,
): PairwiseIdentifier {
  if (typeof theirs !== 'function')
    return (_context, accountId, client) => create(client.sectorIdentifier, accountId);
  return async (context, accountId, client) => {
    const subject: unknown = await theirs(context, accountId, client);
    if (typeof subject !== 'string' || subject === '')
      throw new TypeError('pairwiseIdentifier: must return a string that is not empty');
    await record(client.sectorIdentifier, accountId, subject);
    return subject;
  };
}

/** The facts that introspection returns: the subject, class and time of the login, and the claims of the team. */
function tokenFacts({ extraTokenClaims }: LibraryConfiguration, pairwiseIdentifier: PairwiseIdentifier) {
  return async (context: ProviderContext, token: ProviderToken): Promise<TokenFacts | undefined> => {
    const { accountId, client } = token;
    const claims: unknown =
      typeof extraTokenClaims === 'function' ? await extraTokenClaims(context, token) : undefined;
    const isPairwise = client?.subjectType === 'pairwise';
    const facts = {
      ...(isPairwise &&
        accountId !== undefined && { subject: await pairwiseIdentifier(context, accountId, client) }),
      ...(accountId !== undefined && authenticationFacts(context)),
      ...(isJsonObject(claims) && { claims }),
    };
    return Object.keys(facts).length === 0 ? undefined : facts;
  };
}
