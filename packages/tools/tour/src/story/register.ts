import type { Members } from '../print/exchange.js';
import type { ToldFetch } from '../print/told-fetch.js';
import { membersOf } from '../print/told-fetch.js';
import type { Stack } from '../stack/stack.js';
import { ensure } from '../tour-error.js';

/** A client as the registration service created it. */
export interface RegisteredClient {
  readonly name: string;
  readonly id: string;
  readonly secret: string;
  /** The address and token to read, change and delete the registration. */
  readonly registrationUri: string;
  readonly registrationToken: string;
}

/** Requests a token that registrations consume from the direct authorization endpoint. @throws TourError */
export function initialAccessToken(stack: Stack, uses: number, told: ToldFetch): Promise<string> {
  return directToken(stack, { scope: 'client-reg', uses, expires_in: 600, label: 'tour' }, told);
}

/** Requests a token from the direct authorization endpoint. @throws TourError */
export async function directToken(stack: Stack, request: Members, told: ToldFetch): Promise<string> {
  const response = await told(`${stack.baseUrl}/direct-authz`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.masterToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  ensure(
    response.status !== 401,
    'The running stack does not accept the master token: set MASTER_TOKEN or MASTER_TOKEN_FILE to its own.',
  );
  ensure(response.status === 200, `A token was answered with ${response.status}.`);
  return text(membersOf(await response.text()), 'access_token');
}

/** The metadata of a registration, including a name. */
export type NamedMetadata = Members & { readonly client_name: string };

/** Registers a client. @throws TourError */
export async function register(
  stack: Stack,
  token: string,
  metadata: NamedMetadata,
  told: ToldFetch,
): Promise<RegisteredClient> {
  const client = await registerUnlessRefused(stack, token, metadata, told);
  ensure(client !== undefined, `The metadata of ${metadata.client_name} was refused.`);
  return client;
}

/** Registers a client. @returns `undefined` when its metadata is refused @throws TourError */
export async function registerUnlessRefused(
  { baseUrl }: Stack,
  token: string,
  metadata: NamedMetadata,
  told: ToldFetch,
): Promise<RegisteredClient | undefined> {
  const response = await told(`${baseUrl}/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  if (response.status === 400) return undefined;
  ensure([200, 201].includes(response.status), `The registration was answered with ${response.status}.`);
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
  ensure(typeof value === 'string', `An answer has no ${name}.`);
  return value;
}

/** An object member of a response. @throws TourError */
export function member(members: Members, name: string): Members {
  const value = members[name];
  ensure(typeof value === 'object' && value !== null, `An answer has no ${name}.`);
  return { ...value };
}
