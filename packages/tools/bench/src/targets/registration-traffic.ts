import { closedLoad } from '../load/closed-load.js';
import { cycle, type RequestSource } from '../load/load-result.js';
import { rawRequest } from '../load/raw-request.js';
import type { RawResponse } from '../load/response-reader.js';
import {
  parseRegisteredClient,
  type RegisteredClient,
  registrationRequest,
} from '../test-environment/registered-client.js';
import type { Exchange } from '../workloads/workload.js';

/** The metadata that workloads register: a typical web application. */
export const WEB_APPLICATION = {
  application_type: 'web',
  client_name: 'Example application',
  client_uri: 'https://app.example.org/',
  logo_uri: 'https://app.example.org/logo.png',
  policy_uri: 'https://app.example.org/privacy',
  tos_uri: 'https://app.example.org/terms',
  contacts: ['operations@example.org', 'security@example.org'],
  redirect_uris: ['https://app.example.org/callback', 'https://app.example.org/silent'],
  post_logout_redirect_uris: ['https://app.example.org/goodbye'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'client_secret_basic',
} as const;

/** Registers the application without a token, and checks the response. */
export function registrationExchange(path: string): Exchange {
  return {
    request: openRegistration(path),
    problem: (response) => (isRegistered(response) ? undefined : 'not a registered client'),
  };
}

/** The request that registers the application without a token. */
export function openRegistration(path: string): string {
  return registrationRequest(WEB_APPLICATION, { path });
}

/** Registers a number of clients without a token. @throws when one of them is refused */
export async function registerClients(
  { port, path }: { readonly port: number; readonly path: string },
  count: number,
): Promise<readonly RegisteredClient[]> {
  const clients: RegisteredClient[] = [];
  const source: RequestSource = {
    ...cycle([openRegistration(path)]),
    onResponse: (response) => {
      if (!isRegistered(response))
        throw new Error(`a client was not registered: ${response.status} ${response.body}`);
      clients.push(parseRegisteredClient(response.body));
    },
  };
  await closedLoad({ port, source, connections: 16, until: { requests: count } });
  return clients;
}

/** Reads a client with its registration access token, and checks the response. */
export function readingExchange(path: string, client: RegisteredClient): Exchange {
  const { client_id: id, registration_access_token: token } = client;
  return {
    request: rawRequest({
      method: 'GET',
      path: `${path}/${id}`,
      headers: { authorization: `Bearer ${token}` },
    }),
    problem: ({ status, body }) => {
      if (status !== 200) return 'the status is not 200';
      const read = JSON.parse(body);
      const isRight = read.client_id === id && read.client_name === WEB_APPLICATION.client_name;
      return isRight ? undefined : 'not the requested client';
    },
  };
}

/**
 * Updates clients repeatedly, each with the registration access token of its last update, and checks every response.
 * There must be more clients than connections.
 */
export function updates(path: string, clients: readonly RegisteredClient[]): RequestSource {
  const idle = [...clients];
  return {
    next: () => {
      const client = idle.shift();
      if (client === undefined) throw new RangeError('every client is being updated');
      return updateRequest(path, client);
    },
    onResponse: ({ status, body }) => {
      if (status !== 200) throw new Error(`a client was not updated: ${status} ${body}`);
      const client = parseRegisteredClient(body);
      if (!body.includes(WEB_APPLICATION.client_uri)) throw new Error(`not what was registered: ${body}`);
      idle.push(client);
    },
  };
}

function updateRequest(path: string, { client_id: id, registration_access_token: token }: RegisteredClient) {
  return rawRequest({
    method: 'PUT',
    path: `${path}/${id}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: id, ...WEB_APPLICATION }),
  });
}

function isRegistered({ status, body }: RawResponse): boolean {
  return (status === 200 || status === 201) && parseRegisteredClient(body).client_secret.length >= 43;
}
