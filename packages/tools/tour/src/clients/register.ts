import type { Members } from '../print/exchange.js';
import type { PrintedFetch } from '../print/printed-fetch.js';
import { membersOf } from '../print/printed-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';

/** A client as the registration service created it. */
export interface RegisteredClient {
  readonly name: string;
  readonly id: string;
  readonly secret: string;
  /** The URL and token to read, change and delete the registration. */
  readonly registrationUri: string;
  readonly registrationToken: string;
}

/** Requests an initial access token from the direct authorization endpoint. @throws TourError */
export function initialAccessToken(stack: Stack, uses: number, send: PrintedFetch): Promise<string> {
  return directToken(stack, { scope: 'client-reg', uses, expires_in: 600, label: 'tour' }, send);
}

/** Requests a token from the direct authorization endpoint. @throws TourError */
export async function directToken(stack: Stack, request: Members, send: PrintedFetch): Promise<string> {
  const response = await send(`${stack.baseUrl}/direct-authz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.masterToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  ensure(
    response.status !== 401,
    'The running stack does not accept the master token: set MASTER_TOKEN or MASTER_TOKEN_FILE.',
  );
  ensure(response.status === 200, `POST /direct-authz returned ${response.status}.`);
  return text(membersOf(await response.text()), 'access_token');
}

/** The metadata of a registration, including a name. */
export type NamedMetadata = Members & { readonly client_name: string };

/** Registers a client. @throws TourError */
export async function register(
  stack: Stack,
  token: string,
  metadata: NamedMetadata,
  send: PrintedFetch,
): Promise<RegisteredClient> {
  const client = await tryToRegister(stack, token, metadata, send);
  ensure(client !== undefined, `The metadata of ${metadata.client_name} was rejected.`);
  return client;
}

/** Registers a client. @returns `undefined` when its metadata is rejected @throws TourError */
export async function tryToRegister(
  { baseUrl }: Stack,
  token: string,
  metadata: NamedMetadata,
  send: PrintedFetch,
): Promise<RegisteredClient | undefined> {
  const response = await send(`${baseUrl}/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  if (response.status === 400) return undefined;
  ensure([200, 201].includes(response.status), `POST /clients returned ${response.status}.`);
  const members = membersOf(await response.text());
  return {
    name: metadata.client_name,
    id: text(members, 'client_id'),
    secret: text(members, 'client_secret'),
    registrationUri: text(members, 'registration_client_uri'),
    registrationToken: text(members, 'registration_access_token'),
  };
}

/** A string member of a response. @throws TourError */
export function text(members: Members, name: string): string {
  const value = members[name];
  ensure(typeof value === 'string', `The response has no ${name}.`);
  return value;
}

/** An object member of a response. @throws TourError */
export function member(members: Members, name: string): Members {
  const value = members[name];
  ensure(typeof value === 'object' && value !== null, `The response has no ${name}.`);
  return { ...value };
}
