import { createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '@vestibule/protocol/json';
import type { Members } from '../support/api.js';
import { openWebBrowser } from '../support/web-browser.js';
import type { KnownClient } from './known-client.js';

/** What a client got. */
export interface KnownClientResult {
  /** The response to its registration. */
  readonly registered: Members;
  /** Whether each login brought an access token that UserInfo accepts. */
  readonly logins: readonly Login[];
}

/** One login. */
export interface Login {
  readonly redirectUri: string;
  /** The end-user of the access token. */
  readonly subject: unknown;
  /** The end-user of the access token that the refresh token brought; absent if the client got none. */
  readonly refreshedSubject?: unknown;
}

/** Registers a client without a token, as it does itself, and logs in with each of its redirect URIs. */
export async function runKnownClient(baseUrl: string, client: KnownClient): Promise<KnownClientResult> {
  const registered = await register(baseUrl, client);
  const logins: Login[] = [];
  for (const redirectUri of client.redirectUris)
    logins.push(await logIn(baseUrl, { registered, redirectUri }));
  return { registered, logins };
}

async function register(baseUrl: string, { registration }: KnownClient): Promise<Members> {
  const response = await fetch(`${baseUrl}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(registration),
  });
  return successful(response);
}

interface Client {
  readonly registered: Members;
  readonly redirectUri: string;
}

async function logIn(baseUrl: string, client: Client): Promise<Login> {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(8).toString('hex');
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: String(client.registered['client_id']),
    redirect_uri: client.redirectUri,
    scope: 'openid',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const landed = await openWebBrowser(baseUrl).logIn(`${baseUrl}/authorize?${request}`);
  const { code, state: returned, iss, ...rest } = Object.fromEntries(landed.searchParams);
  const isThere = isAt(landed, rest, new URL(client.redirectUri));
  if (!isThere || returned !== state || iss !== baseUrl || code === undefined)
    throw new Error(`the login ended at ${landed.href}`);
  const tokens = await tokenRequest(baseUrl, client, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  });
  const { redirectUri } = client;
  const subject = await subjectOf(baseUrl, tokens);
  const { refresh_token: refreshToken } = tokens;
  if (refreshToken === undefined) return { redirectUri, subject };
  const refreshed = await tokenRequest(baseUrl, client, {
    grant_type: 'refresh_token',
    refresh_token: String(refreshToken),
  });
  return { redirectUri, subject, refreshedSubject: await subjectOf(baseUrl, refreshed) };
}

/** Whether an address is a redirect URI with its own query parameters, apart from those of the response. */
function isAt(landed: URL, rest: Readonly<Record<string, string>>, redirectUri: URL): boolean {
  const isPlace = (['protocol', 'host', 'pathname'] as const).every(
    (part) => landed[part] === redirectUri[part],
  );
  return isPlace && isDeepStrictEqual(rest, Object.fromEntries(redirectUri.searchParams));
}

/** Authenticates as the response to the registration says. */
async function tokenRequest(
  baseUrl: string,
  { registered }: Client,
  form: Readonly<Record<string, string>>,
): Promise<Members> {
  const id = String(registered['client_id']);
  const secret = String(registered['client_secret']);
  const method = registered['token_endpoint_auth_method'];
  const inForm = method === 'client_secret_post' ? { client_secret: secret } : {};
  const response = await fetch(`${baseUrl}/token`, {
    method: 'POST',
    headers:
      method === 'client_secret_basic'
        ? { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }
        : {},
    body: new URLSearchParams({ ...form, client_id: id, ...inForm }),
  });
  return successful(response);
}

async function subjectOf(baseUrl: string, { access_token: token }: Members): Promise<unknown> {
  const response = await fetch(`${baseUrl}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  return (await successful(response))['sub'];
}

async function successful(response: Response): Promise<Members> {
  const text = await response.text();
  const body: unknown = response.ok ? JSON.parse(text) : undefined;
  if (!isJsonObject(body)) throw new Error(`${response.url} returned ${response.status} ${text}`);
  return body;
}
