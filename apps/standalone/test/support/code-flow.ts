import * as openid from 'openid-client';
import { issue, type Members } from './api.js';
import type { Standalone } from './standalone-process.js';
import type { openWebBrowser } from './web-browser.js';

/** The redirect URI of the test clients; nothing listens there. */
export const REDIRECT_URI = 'https://app.example/cb';

/** The options of openid-client for a server without https. */
export const insecure = { execute: [openid.allowInsecureRequests] };

/**
 * Registers as a published client does, and runs discovery. Its library sends the secret in the body by default, so it
 * registers that method.
 */
export async function registerPublished(
  stack: Pick<Standalone, 'baseUrl' | 'masterToken'>,
  metadata: Members,
  authentication?: openid.ClientAuth,
): Promise<openid.Configuration> {
  const initialAccessToken = await issue(stack, { scope: 'client-reg' });
  return openid.dynamicClientRegistration(
    new URL(stack.baseUrl),
    {
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
      ...metadata,
    },
    authentication,
    { ...insecure, initialAccessToken },
  );
}

/** Options of a login. */
export interface Flow {
  readonly browser: ReturnType<typeof openWebBrowser>;
  /** Additional parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly isPushed?: boolean;
  readonly DPoP?: openid.DPoPHandle;
  /** Signs the request as a request object. */
  readonly signedWith?: openid.PrivateKey;
}

/** The code flow with PKCE, from the first request to the tokens. */
export async function runCodeFlow(config: openid.Configuration, flow: Flow) {
  const { parameters, DPoP, browser } = flow;
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const expectedNonce = openid.randomNonce();
  const request = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid email read',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...parameters,
  };
  const options = DPoP === undefined ? {} : { DPoP };
  const address = await addressOf(config, request, flow);
  const landed = await browser.logIn(address.href);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  return openid.authorizationCodeGrant(config, landed, checks, undefined, options);
}

async function addressOf(
  config: openid.Configuration,
  request: Readonly<Record<string, string>>,
  { isPushed = false, DPoP, signedWith }: Flow,
): Promise<URL> {
  const options = DPoP === undefined ? {} : { DPoP };
  const parameters =
    signedWith === undefined
      ? request
      : (await openid.buildAuthorizationUrlWithJAR(config, request, signedWith)).searchParams;
  return isPushed
    ? openid.buildAuthorizationUrlWithPAR(config, parameters, options)
    : openid.buildAuthorizationUrl(config, parameters);
}
