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
import {
  isEnabled,
  type LibraryConfiguration,
  type LibraryFeature,
  textsOf,
} from './library-configuration.js';

/** What the configuration of a joined provider is made from, besides that of the team. */
export interface JoinedParts {
  readonly adapter: AdapterFactory;
  readonly customizer: JwtCustomizer;
  readonly endpoints: ReplacingEndpoints;
  readonly pairwise: PairwiseSubjects;
}

/** Adds to the configuration of a team what a provider on the shared store needs. */
export function joinedConfiguration(
  given: LibraryConfiguration,
  { adapter, customizer, endpoints, pairwise }: JoinedParts,
  privateKeys: readonly PrivateJwk[],
): object {
  const { clients: _imported, features = {} } = given;
  const pairwiseIdentifier = pairwiseIdentifierOf(given) ?? storedPairwise(pairwise);
  return {
    ...given,
    clients: [],
    adapter,
    // The library refuses keys that it has no use for.
    jwks: {
      keys: privateKeys.filter(({ use }) => use !== 'enc' || isEnabled(features['encryption'], false)),
    },
    features: joinedFeatures(features),
    formats: {
      ...given.formats,
      customizers: { ...given.formats?.customizers, jwt: customizedBoth(customizer, given) },
    },
    extraClientMetadata: {
      ...given.extraClientMetadata,
      properties: [...textsOf(given.extraClientMetadata?.properties), REGISTERED_SCOPE],
    },
    extraTokenClaims: tokenFacts(given, pairwiseIdentifier),
    subjectTypes: given.subjectTypes ?? ['public', 'pairwise'],
    pairwiseIdentifier,
    discovery: {
      registration_endpoint: endpoints.registration,
      introspection_endpoint: endpoints.introspection,
      end_session_endpoint: endpoints.logout,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      ...given.discovery,
    },
  };
}

function joinedFeatures(features: NonNullable<LibraryConfiguration['features']>): object {
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
      resourceIndicators: limitedResources(features['resourceIndicators']),
    }),
  };
}

/** A client that registered a scope gets no other scope values of a resource server. */
function limitedResources(feature: LibraryFeature): LibraryFeature {
  const { getResourceServerInfo: find } = feature;
  if (typeof find !== 'function') return feature;
  return {
    ...feature,
    getResourceServerInfo: async (context: unknown, indicator: unknown, client: ProviderClient) => {
      const found: unknown = await find(context, indicator, client);
      const registered = client[REGISTERED_SCOPE];
      if (typeof registered !== 'string' || !isJsonObject(found)) return found;
      const permitted = registered.split(' ');
      const scope = String(found['scope'] ?? '')
        .split(' ')
        .filter((value) => permitted.includes(value));
      return { ...found, scope: scope.join(' ') };
    },
  };
}

/** Ours first, since it replaces the claims: what the team adds stays. */
function customizedBoth(ours: JwtCustomizer, { formats }: LibraryConfiguration): JwtCustomizer {
  const theirs = formats?.customizers?.jwt;
  if (typeof theirs !== 'function') return ours;
  return async (context, token, jwt) => {
    await ours(context, token, jwt);
    await theirs(context, token, jwt);
  };
}

type PairwiseIdentifier = (context: unknown, accountId: string, client: ProviderClient) => Promise<string>;

function pairwiseIdentifierOf({ pairwiseIdentifier }: LibraryConfiguration): PairwiseIdentifier | undefined {
  return typeof pairwiseIdentifier === 'function' ? (pairwiseIdentifier as PairwiseIdentifier) : undefined;
}

function storedPairwise(pairwise: PairwiseSubjects): PairwiseIdentifier {
  return (_context, accountId, client) => pairwise(client.sectorIdentifier, accountId);
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
