import { type CryptoKey, createRemoteJWKSet, customFetch, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { type PrintedFetch, printedFetch } from '../print/printed-fetch.js';
import type { Reporter } from '../print/reporter.js';

/** The tokens of a sign-in, with the claims of its ID token. */
export type Tokens = Awaited<ReturnType<typeof openid.authorizationCodeGrant>>;

/** An OpenID Connect relying party, implemented with openid-client. */
export interface RelyingParty {
  /** The authorization URL for a browser. */
  loginAddress(parameters?: Readonly<Record<string, string>>): Promise<string>;
  /** Handles the redirect back. @throws when it is not the response to {@link loginAddress} */
  callback(address: URL): Promise<Tokens>;
  refresh(refreshToken: string): ReturnType<typeof openid.refreshTokenGrant>;
  revoke(token: string): Promise<void>;
  userInfo(accessToken: string, subject: string): Promise<openid.UserInfoResponse>;
  /**
   * The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6).
   * @throws when it is not a valid logout token for this client
   */
  logoutClaims(logoutToken: string): Promise<JWTPayload>;
}

/** The scope of every sign-in. */
export const DEMO_SCOPE = 'openid profile email reports:read';

/** The client of a relying party, and its authentication. */
export interface RelyingPartyClient {
  readonly name: string;
  readonly id: string;
  readonly redirectUri: string;
  /** Its secret, or the key that signs its request objects (RFC 9101) or authenticates its pushed requests (RFC 9126). */
  readonly proof: ClientSecret | ClientKey;
}

/** A client secret. */
export interface ClientSecret {
  readonly secret: string;
}

/** A private key of the client. */
export interface ClientKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly usesPar: boolean;
}

/** Discovers the server and creates a relying party for a client. */
export async function relyingParty(
  baseUrl: string,
  client: RelyingPartyClient,
  reporter: Reporter,
): Promise<RelyingParty> {
  const send = printedFetch(client.name, reporter);
  const config = await openid.discovery(
    new URL(baseUrl),
    client.id,
    undefined,
    authentication(client.proof),
    {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: (address, options) => send(address, options),
    },
  );
  const pending = new Map<string, { readonly pkceCodeVerifier: string; readonly expectedNonce: string }>();
  return {
    loginAddress: async (parameters = {}) => {
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [state, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      pending.set(state, { pkceCodeVerifier, expectedNonce });
      const address = await authorizationAddress(config, client, {
        redirect_uri: client.redirectUri,
        scope: DEMO_SCOPE,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state,
        nonce: expectedNonce,
        ...parameters,
      });
      printRequestObject(client, address, reporter);
      return address.href;
    },
    callback: (address) => {
      const expectedState = address.searchParams.get('state') ?? '';
      const checks = pending.get(expectedState);
      pending.delete(expectedState);
      if (checks === undefined) throw new Error('the state belongs to no login of this application');
      return openid.authorizationCodeGrant(config, address, {
        ...checks,
        expectedState,
        idTokenExpected: true,
      });
    },
    refresh: (refreshToken) => openid.refreshTokenGrant(config, refreshToken),
    revoke: (token) => openid.tokenRevocation(config, token),
    userInfo: (accessToken, subject) => openid.fetchUserInfo(config, accessToken, subject),
    logoutClaims: logoutClaims(config, client.id, send),
  };
}

function authentication(proof: RelyingPartyClient['proof']): openid.ClientAuth {
  if ('secret' in proof) return openid.ClientSecretBasic(proof.secret);
  return openid.PrivateKeyJwt({ key: proof.privateKey, kid: proof.kid });
}

async function authorizationAddress(
  config: openid.Configuration,
  { proof }: RelyingPartyClient,
  request: Readonly<Record<string, string>>,
): Promise<URL> {
  if ('secret' in proof) return openid.buildAuthorizationUrl(config, request);
  if (proof.usesPar) return openid.buildAuthorizationUrlWithPAR(config, request);
  const { privateKey: key, kid } = proof;
  return openid.buildAuthorizationUrlWithJAR(config, request, { key, kid });
}

function printRequestObject({ name }: RelyingPartyClient, address: URL, reporter: Reporter): void {
  const request = address.searchParams.get('request');
  if (request !== null)
    reporter.document(`${name} signs a request object with these claims:`, decodeJwt(request));
}

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Verifies logout tokens with the published keys of the server. */
function logoutClaims(
  config: openid.Configuration,
  audience: string,
  send: PrintedFetch,
): RelyingParty['logoutClaims'] {
  const { issuer, jwks_uri: jwksUri = '' } = config.serverMetadata();
  const keys = createRemoteJWKSet(new URL(jwksUri), { [customFetch]: send });
  const rules = { issuer, audience, typ: 'logout+jwt', requiredClaims: ['iat', 'exp', 'jti', 'events'] };
  return async (logoutToken) => {
    const { payload } = await jwtVerify(logoutToken, keys, rules);
    const { events, nonce } = payload;
    const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events;
    if (!isLogout || nonce !== undefined) throw new Error('this is not a logout token');
    return payload;
  };
}
