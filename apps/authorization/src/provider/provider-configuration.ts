import { X509Certificate } from 'node:crypto';
import {
  clientProperties,
  createAdapterFactory,
  jwtCustomizer,
  pairwiseSubjects,
  REGISTERED_SCOPE,
} from '@vestibule/oidc-provider-adapter';
import { ASYMMETRIC_ALGORITHMS, ENDPOINT_PATH } from '@vestibule/protocol/constants';
import type { JWK } from 'jose';
import type { ProviderClient, ProviderContext, ProviderToken } from 'oidc-provider';
import { interactionAddress } from '../interaction/interaction.js';
import { checkAssertion } from './assertion-policy.js';
import { CONFIDENTIAL, withAutomaticClients } from './automatic-clients.js';
import { CLAIMS } from './claims.js';
import { clientCertificates } from './client-certificates.js';
import { cookieKeys, cookieNames } from './cookies.js';
import { withDocumentClients } from './document-clients.js';
import { egressFetch } from './egress-fetch.js';
import { type EntityRequestObjects, entityRequestObjects } from './entity-request-objects.js';
import { errorPage } from './error-page.js';
import { withEvaluatedClients } from './evaluated-clients.js';
import { promptPolicy } from './interaction-policy.js';
import { KEPT_PARAMETERS } from './kept-parameters.js';
import { withLimitedRecords } from './limited-records.js';
import { performedMetadata } from './performed-metadata.js';
import type { ProviderDeps } from './provider-deps.js';
import { rememberedGrant } from './remembered-consent.js';
import { resourceServers } from './resource-servers.js';
import { tokenFacts } from './token-facts.js';

/** Settings of one endpoint or feature, in the format of the library. */
type Configuration = Readonly<Record<string, unknown>>;

/** The algorithms that proofs of possession are signed with (RFC 9449 section 5.1). */
export const DPOP_ALGORITHMS: readonly string[] = ASYMMETRIC_ALGORITHMS;

const CODE_LIFETIME_SECONDS = 60;
const INTERACTION_LIFETIME_SECONDS = 3_600;
/** A grant lasts as long as a token may live. */
const GRANT_LIFETIME_SECONDS = 365 * 24 * 60 * 60;
/** Tolerated clock skew of clients. */
const CLOCK_TOLERANCE_SECONDS = 15;

/** Lets the library find registered clients that are not blocked, and those that register when they are looked up. */
function withKnownClients(adapter: Parameters<typeof createAdapterFactory>[0], deps: ProviderDeps) {
  const registered = withAutomaticClients(createAdapterFactory(adapter), deps);
  return withDocumentClients(registered, deps, (client) => clientProperties(adapter, client));
}

/** The configuration of the library. Every hook is set, so that none of its example implementations is ever used. */
export function providerConfiguration(deps: ProviderDeps, privateKeys: readonly JWK[]): Configuration {
  const { issuer, records, random, interaction } = deps;
  const { acrValues = [] } = interaction;
  const performed = { ...performedMetadata(deps.supported), acrValues };
  const adapter = { ...deps, performed };
  const pairwise = pairwiseSubjects(records, random);
  const requestObjects = entityRequestObjects(deps);
  return {
    adapter: withLimitedRecords(withEvaluatedClients(withKnownClients(adapter, deps), deps), deps),
    jwks: { keys: privateKeys },
    ...clientSettings(deps),
    ...cookieSettings(deps),
    routes: ROUTES,
    scopes: ['openid', 'offline_access'],
    claims: CLAIMS,
    acrValues,
    // The library validates these parameters after it has verified the request object and checked the request.
    extraParams: { ...KEPT_PARAMETERS, request: requestObjects.use },
    responseTypes: performed.responseTypes,
    subjectTypes: deps.supported.subjectTypes,
    pairwiseIdentifier: (_ctx: unknown, accountId: string, client: ProviderClient) =>
      pairwise(client.sectorIdentifier, accountId),
    findAccount: async (_ctx: unknown, accountId: string) => ({
      accountId,
      claims: async () => ({ ...(await interaction.accounts.find(accountId))?.claims, sub: accountId }),
    }),
    extraTokenClaims: tokenFacts(deps, pairwise),
    formats: {
      bitsOfOpaqueRandomness: deps.provider.tokenLength * BITS_PER_CHARACTER,
      customizers: { jwt: jwtCustomizer(adapter) },
    },
    features: features(deps, requestObjects),
    ttl: lifetimes(deps),
    issueRefreshToken: async (_ctx: unknown, client: ProviderClient) =>
      client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async (_ctx: unknown, source: ProviderToken) => !source.scopes.has('offline_access'),
    interactions: {
      policy: promptPolicy(acrValues, deps.clients),
      url: (_ctx: unknown, { uid }: { uid: string }) => interactionAddress(issuer, uid),
    },
    loadExistingGrant: rememberedGrant(deps),
    renderError: errorPage(deps),
    fetch: egressFetch(deps.egress),
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    pkce: {
      required: (_ctx: unknown, client: ProviderClient) =>
        deps.provider.pkceRequired === 'all' ||
        (client.clientAuthMethod === 'none' && client[CONFIDENTIAL] !== true),
    },
    sectorIdentifierUriValidate: () => false,
  };
}

const BITS_PER_CHARACTER = 6;

const ROUTES = {
  authorization: ENDPOINT_PATH.authorization,
  pushed_authorization_request: ENDPOINT_PATH.pushedAuthorization,
  token: ENDPOINT_PATH.token,
  revocation: ENDPOINT_PATH.revocation,
  userinfo: ENDPOINT_PATH.userinfo,
};

function clientSettings(deps: ProviderDeps): Configuration {
  const { supported, signingAlgorithms } = deps;
  const { id_token, userinfo, request_object, authorization } = supported.algorithms;
  return {
    clientDefaults: {
      id_token_signed_response_alg: signingAlgorithms[0],
      authorization_signed_response_alg: signingAlgorithms[0],
    },
    clientAuthMethods: supported.authMethods,
    extraClientMetadata: { properties: [REGISTERED_SCOPE, CONFIDENTIAL], validator: () => undefined },
    enabledJWA: {
      clientAuthSigningAlgValues: supported.authSigningAlgorithms,
      idTokenSigningAlgValues: id_token.signing,
      idTokenEncryptionAlgValues: id_token.encryption,
      idTokenEncryptionEncValues: id_token.contentEncryption,
      userinfoSigningAlgValues: userinfo.signing,
      userinfoEncryptionAlgValues: userinfo.encryption,
      userinfoEncryptionEncValues: userinfo.contentEncryption,
      requestObjectSigningAlgValues: request_object.signing,
      requestObjectEncryptionAlgValues: request_object.encryption,
      requestObjectEncryptionEncValues: request_object.contentEncryption,
      authorizationSigningAlgValues: authorization.signing,
      authorizationEncryptionAlgValues: authorization.encryption,
      authorizationEncryptionEncValues: authorization.contentEncryption,
      dPoPSigningAlgValues: DPOP_ALGORITHMS,
    },
    clientBasedCORS: withholdFromOtherOrigins,
    assertJwtClientAuthClaimsAndHeader: checkAssertion(deps),
  };
}

/**
 * The library's hook for requests with an `Origin`, which it refuses if this returns false. A request of another origin is
 * processed, and its response withheld from pages: programs with a web view send an `Origin` too, and a page needs the
 * credentials in the request itself, which it could send from anywhere. Not so for a client that authenticates with a
 * certificate, which a browser adds to the requests of any page.
 */
function withholdFromOtherOrigins(ctx: ProviderContext, origin: string, client: ProviderClient): boolean {
  if (isBrowserClient(ctx, origin, client)) return true;
  for (const header of CORS_RESPONSE_HEADERS) ctx.remove(header);
  return !client.clientAuthMethod.endsWith('tls_client_auth');
}

const CORS_RESPONSE_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

/** CORS: only for clients that run in a browser, from their own origins. */
function isBrowserClient({ oidc }: ProviderContext, origin: string, client: ProviderClient): boolean {
  const isPublic = oidc.route === 'userinfo' || client.clientAuthMethod === 'none';
  const isRegistered = client.redirectUris.some((uri) => URL.canParse(uri) && new URL(uri).origin === origin);
  return origin !== 'null' && isPublic && isRegistered;
}

function cookieSettings({ issuer, digester }: ProviderDeps): Configuration {
  return {
    cookies: {
      names: cookieNames(issuer),
      keys: cookieKeys(digester),
      // The cookie is looked up by its digest, so there is nothing to forge and no second signature cookie is needed.
      long: { httpOnly: true, sameSite: 'lax', signed: false },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
  };
}

function features(deps: ProviderDeps, requestObjects: EntityRequestObjects): Configuration {
  const on = { enabled: true };
  const off = { enabled: false };
  const certificates = clientCertificates(deps);
  return {
    devInteractions: off,
    // Replaced by our own endpoints.
    registration: off,
    introspection: off,
    rpInitiatedLogout: off,
    // Only for `sid` in ID tokens.
    backchannelLogout: on,
    claimsParameter: on,
    clientCredentials: on,
    dPoP: on,
    encryption: on,
    jwtResponseModes: on,
    jwtUserinfo: on,
    pushedAuthorizationRequests: on,
    requestObjects: { ...on, assertJwtClaimsAndHeader: requestObjects.read },
    mTLS: {
      ...on,
      certificateBoundAccessTokens: true,
      selfSignedTlsClientAuth: true,
      tlsClientAuth: true,
      getCertificate: ({ req }: ProviderContext) => {
        const der = certificates.proved(req)?.der;
        return der && new X509Certificate(der);
      },
      certificateAuthorized: ({ req }: ProviderContext) => certificates.proved(req)?.isChainVerified === true,
      certificateSubjectMatches: ({ req }: ProviderContext, member: string, expected: string) =>
        certificates.hasSubject(req, member, expected),
    },
    resourceIndicators: { ...on, ...resourceServers(deps) },
    revocation: {
      ...on,
      // To a client, a token of another client does not exist (RFC 7009 section 2.1).
      allowedPolicy: async (_ctx: unknown, client: ProviderClient, token: ProviderToken) =>
        token.clientId === client.clientId,
    },
    userinfo: on,
  };
}

function lifetimes({ provider }: ProviderDeps): Configuration {
  return {
    AccessToken: provider.accessTokenLifetimeSeconds,
    ClientCredentials: provider.accessTokenLifetimeSeconds,
    AuthorizationCode: CODE_LIFETIME_SECONDS,
    IdToken: provider.idTokenLifetimeSeconds,
    Interaction: INTERACTION_LIFETIME_SECONDS,
    Session: provider.sessionLifetimeSeconds,
    Grant: GRANT_LIFETIME_SECONDS,
    // A stolen token of a browser must not be extended by renewing it.
    RefreshToken: (ctx: ProviderContext | undefined, token: ProviderToken, client: ProviderClient) => {
      const rotated = ctx?.oidc.entities.RotatedRefreshToken;
      const isBrowser = client.applicationType === 'web' && client.clientAuthMethod === 'none';
      return rotated !== undefined && isBrowser && !token.isSenderConstrained()
        ? rotated.remainingTTL
        : provider.refreshTokenLifetimeSeconds;
    },
  };
}
