import { noteResponse } from '@vestibule/testkit';
import type { Standalone } from './standalone-process.js';

/** A JSON object of a response. */
export type Members = Readonly<Record<string, unknown>>;

/** A response with its body. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a JSON request with a bearer token. */
export async function send(url: string, method: string, token: string, body?: unknown): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  noteResponse(text);
  return { status: response.status, headers: response.headers, text };
}

/** A client that may introspect. */
export interface ResourceServer {
  readonly id: string;
  readonly secret: string;
  readonly registrationToken: string;
}

/** Registers a client that may introspect. */
export async function registerResourceServer({
  baseUrl,
  issuer,
  masterToken,
}: Pick<Standalone, 'baseUrl' | 'issuer' | 'masterToken'>): Promise<ResourceServer> {
  const { text } = await send(`${baseUrl}/clients`, 'POST', masterToken, {
    grant_types: ['client_credentials'],
    scope: `${issuer}/token/introspect`,
  });
  const information = JSON.parse(text);
  return {
    id: information.client_id,
    secret: information.client_secret,
    registrationToken: information.registration_access_token,
  };
}

/** Issues a token by the direct authorization endpoint. */
export async function issue(
  { baseUrl, masterToken }: Pick<Standalone, 'baseUrl' | 'masterToken'>,
  request: Members,
): Promise<string> {
  const { text } = await send(`${baseUrl}/direct-authz`, 'POST', masterToken, request);
  return JSON.parse(text).access_token;
}

/** Introspects as a resource server with `client_secret_basic`. */
export async function introspect(
  { baseUrl }: Pick<Standalone, 'baseUrl'>,
  { id, secret }: ResourceServer,
  form: Readonly<Record<string, string>>,
): Promise<Members> {
  const response = await fetch(`${baseUrl}/token/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  });
  const members: Members = JSON.parse(await response.text());
  return members;
}
