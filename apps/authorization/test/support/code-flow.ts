import { createHash, randomBytes } from 'node:crypto';
import type { Server } from '@vestibule/http';
import { noteResponse, noteSecret } from '@vestibule/testkit';
import { expect } from 'vitest';
import { type Browser, openBrowser, type Page } from './browser.js';
import { ISSUER } from './build-test-app.js';

/** A client as it registered. */
export interface CodeClient {
  readonly client_id: string;
  readonly client_secret?: string;
}

const REDIRECT_URI = 'https://app.example/cb';

/** The PKCE verifier of one authorization request (RFC 7636). */
export function aVerifier() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The parameters of an authorization request. */
export function authorizationParameters(
  { client_id }: CodeClient,
  challenge: string,
  parameters: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    client_id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...parameters,
  };
}

/** The URL of an authorization request. */
export function authorizationAddress(
  client: CodeClient,
  challenge: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  return `/authorize?${new URLSearchParams(authorizationParameters(client, challenge, parameters))}`;
}

/**
 * Logs an end-user in and consents.
 * @returns the address that the browser is redirected to
 */
export async function logIn(browser: Browser, address: string, name = 'alice'): Promise<URL> {
  let page = await browser.follow(await browser.go(address), ISSUER);
  for (let step = 0; step < 3 && page.status === 200; step += 1) {
    const uid = uidOf(browser);
    const form = page.body.includes('name="password"')
      ? { decision: 'login', username: name, password: name }
      : { decision: 'consent' };
    page = await browser.follow(await browser.go(`/interaction/${uid}`, form), ISSUER);
  }
  expect(page.location, `${page.status} ${page.body}`).toBeDefined();
  const landed = new URL(page.location ?? '');
  noteSecret('code', landed.searchParams.get('code') ?? '');
  return landed;
}

/** The identifier of the interaction of a browser. */
export function uidOf(browser: Browser): string {
  const cookie = browser.cookies().findLast(({ name }) => name.endsWith('vestibule_interaction'));
  return cookie?.value ?? '';
}

/** The `Authorization` header of a client with `client_secret_basic`. */
export function basicOf({ client_id, client_secret }: CodeClient): string {
  return `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
}

/** Sends a form to an endpoint, as the client. */
export async function postForm(
  app: Server,
  url: string,
  { client_id, client_secret }: CodeClient,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
      ...(client_secret !== undefined && {
        authorization: basicOf({ client_id, client_secret }),
      }),
    },
    payload: new URLSearchParams(client_secret === undefined ? { client_id, ...form } : form).toString(),
  });
  noteResponse(response.body);
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? {} : response.json(),
  };
}

/** Exchanges the code in an address. */
export function exchange(
  app: Server,
  client: CodeClient,
  { searchParams }: URL,
  verifier: string,
  form: Readonly<Record<string, string>> = {},
) {
  return postForm(app, '/token', client, {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    ...form,
  });
}

/** Everything from the first request to the tokens. */
export async function tokensOf(
  app: Server,
  client: CodeClient,
  parameters: Readonly<Record<string, string>> = {},
  browser: Browser = openBrowser(app),
) {
  const { verifier, challenge } = aVerifier();
  const landed = await logIn(browser, authorizationAddress(client, challenge, parameters));
  return exchange(app, client, landed, verifier);
}

export type { Page };
