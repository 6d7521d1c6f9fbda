import { type Clock, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject, parseJson } from '@vestibule/protocol/json';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import { isRecentLogin } from './login-age.js';
import { type LogoutTokenKeys, logoutTokenKeys, readLogoutToken } from './logout-token.js';
import { UpstreamError } from './upstream-error.js';
import type { UpstreamFetch } from './upstream-fetch.js';
import type { UpstreamAttempt, UpstreamLogin, UpstreamProvider } from './upstream-provider.js';

/** Options of {@link openidUpstream}. */
export interface OpenidUpstreamOptions {
  readonly issuer: URL;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scope: string;
  /** Where the browser returns to: the redirect URI that is registered there. */
  readonly redirectUri: string;
  readonly fetch: UpstreamFetch;
  readonly clock: Clock;
}

/** How long discovered metadata is used before it is read again. */
const METADATA_MS = 300_000;

/** Claims about the login, which many providers only add on request (OpenID Connect Core 1.0 section 5.5). */
const LOGIN_CLAIMS = JSON.stringify({ id_token: { auth_time: null, acr: null, amr: null, sid: null } });

/** The provider with its metadata. */
interface Discovered {
  readonly config: Configuration;
  readonly keys: LogoutTokenKeys;
  readonly readAtMs: number;
}

/**
 * An OpenID provider, by discovery, with the authorization code flow, PKCE, state and nonce. The signature of ID tokens
 * is verified although they come from the provider directly.
 */
export function openidUpstream(options: OpenidUpstreamOptions): UpstreamProvider {
  const { clientId, scope, redirectUri, clock } = options;
  const current = discoverer(options);
  return {
    authorizationUrl: async ({ state, nonce, verifier, maxAgeSeconds }, wishes) => {
      const { config } = await current();
      const { loginHint, uiLocales, acrValues } = wishes;
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(maxAgeSeconds !== undefined && { max_age: String(maxAgeSeconds) }),
        ...(maxAgeSeconds === 0 && { prompt: 'login' }),
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(uiLocales !== undefined && { ui_locales: uiLocales }),
        ...(acrValues !== undefined && { acr_values: acrValues }),
        ...(config.serverMetadata()['claims_parameter_supported'] === true && { claims: LOGIN_CLAIMS }),
      });
    },
    finish: async (query, attempt) => {
      const { config } = await current();
      const login = await checked(() => exchange(config, new URL(`${redirectUri}?${query}`), attempt));
      if (!isRecentLogin(login, attempt)) throw new UpstreamError('stale_login');
      return login;
    },
    readLogoutToken: async (text) => {
      const { config, keys } = await current();
      const { issuer } = config.serverMetadata();
      return checked(() => readLogoutToken(text, { issuer, clientId, keys, now: nowSeconds(clock) }));
    },
    endSessionUrl: async (parameters) => {
      const { config } = await current();
      const { end_session_endpoint: endpoint } = config.serverMetadata();
      return endpoint === undefined ? undefined : buildEndSessionUrl(config, parameters);
    },
  };
}

/** Reads the metadata when it is first needed, and again now and then. Metadata that was read stays in use if that fails. */
function discoverer(options: OpenidUpstreamOptions): () => Promise<Discovered> {
  const { clock } = options;
  let known: Discovered | undefined;
  let reading: Promise<Discovered> | undefined;
  const read = async (): Promise<Discovered> => {
    try {
      known = await checked(() => discover(options));
    } catch (error) {
      if (known === undefined) throw error;
      known = { ...known, readAtMs: clock.nowMs() };
    } finally {
      reading = undefined;
    }
    return known;
  };
  return async () => {
    if (known !== undefined && clock.nowMs() - known.readAtMs < METADATA_MS) return known;
    reading ??= read();
    return reading;
  };
}

async function discover(options: OpenidUpstreamOptions): Promise<Discovered> {
  const { issuer, clientId, clientSecret, fetch, clock } = options;
  const config = await discovery(issuer, clientId, undefined, secretAuthentication(clientSecret), {
    [customFetch]: fetch,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])],
  });
  const { jwks_uri: address } = config.serverMetadata();
  if (address === undefined || !URL.canParse(address)) throw new UpstreamError('response', 'jwks_uri');
  return { config, keys: logoutTokenKeys(new URL(address), fetch), readAtMs: clock.nowMs() };
}

/** In the header, unless the provider only supports the form (OpenID Connect Discovery 1.0 section 3). */
function secretAuthentication(clientSecret: string | undefined): ClientAuth {
  if (clientSecret === undefined) return None();
  const inHeader = ClientSecretBasic(clientSecret);
  const inForm = ClientSecretPost(clientSecret);
  return (server, ...parameters) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const isInForm = !methods.includes('client_secret_basic') && methods.includes('client_secret_post');
    return (isInForm ? inForm : inHeader)(server, ...parameters);
  };
}

async function exchange(
  config: Configuration,
  address: URL,
  attempt: UpstreamAttempt,
): Promise<UpstreamLogin> {
  const tokens = await authorizationCodeGrant(config, address, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  const { id_token: idToken, scope } = tokens;
  if (claims === undefined || idToken === undefined) throw new UpstreamError('response', 'id_token');
  const hasUserinfo = config.serverMetadata().userinfo_endpoint !== undefined;
  const userinfo = hasUserinfo && (await fetchUserInfo(config, tokens.access_token, claims.sub));
  const { iss: issuer, sub: subject, sid, acr, amr, auth_time: time } = claims;
  return {
    issuer,
    subject,
    idToken,
    claims: plainJson({ ...claims, ...userinfo }),
    ...(scope !== undefined && { scope }),
    ...(typeof sid === 'string' && { sid }),
    ...(typeof acr === 'string' && { acr }),
    ...(Array.isArray(amr) && { amr: amr.filter((method) => typeof method === 'string') }),
    ...(typeof time === 'number' && { authenticatedAt: epochSeconds(Math.floor(time)) }),
  };
}

/** Claims as JSON without repeated members, of limited depth. */
function plainJson(claims: object): JsonObject {
  const parsed = parseJson(JSON.stringify(claims), { maxDepth: 8, maxMembers: 500 });
  if (!isJsonObject(parsed)) throw new UpstreamError('response', 'claims');
  return parsed;
}

/** Runs a step with the library. @throws UpstreamError in place of its errors, which contain responses and claims */
async function checked<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw upstreamErrorOf(error);
  }
}

function upstreamErrorOf(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (error instanceof AuthorizationResponseError)
    return new UpstreamError('refused', wellFormedCode(error.error));
  if (!(error instanceof Error)) return new UpstreamError('response');
  if (error.cause instanceof UpstreamError) return error.cause;
  return new UpstreamError(
    'response',
    'code' in error && typeof error.code === 'string' ? error.code : undefined,
  );
}

/** RFC 6749 section 4.1.2.1. Anybody can write an address with which a browser returns, so other texts are not shown. */
function wellFormedCode(code: string): string | undefined {
  return /^[a-z_]{1,64}$/.test(code) ? code : undefined;
}
