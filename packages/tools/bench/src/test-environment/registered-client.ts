import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { requestOnce } from '../load/connection.js';
import { rawRequest } from '../load/raw-request.js';
import { startService } from '../servers/service.js';
import { type Installation, ISSUER } from './installation.js';

const RegisteredClient = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String(),
  registration_access_token: Type.String(),
});

/** A client as the registration endpoint returned it. */
export type RegisteredClient = Static<typeof RegisteredClient>;

/** Parses the response to a registration. @throws when it is not one */
export function parseRegisteredClient(body: string): RegisteredClient {
  return Value.Parse(RegisteredClient, JSON.parse(body));
}

/** How to register. */
export interface RegistrationOptions {
  readonly path?: string;
  /** The credential; none for an open registration. */
  readonly token?: string;
}

/** The path of the endpoint. */
export const REGISTRATION_PATH = '/clients';

/** The request that registers a client. */
export function registrationRequest(
  metadata: object,
  { path = REGISTRATION_PATH, token }: RegistrationOptions = {},
): string {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return rawRequest({ method: 'POST', path, headers, body: JSON.stringify(metadata) });
}

/**
 * Registers a resource server: a client that may introspect (introspection/API.md#callers).
 * @param signedResponseAlgorithm the algorithm of its signed responses (RFC 9701 section 6); absent for none
 */
export async function registerResourceServer(
  { environment, masterToken }: Installation,
  signedResponseAlgorithm?: string,
): Promise<RegisteredClient> {
  const metadata = {
    client_name: 'Resource server',
    grant_types: ['client_credentials'],
    scope: `${ISSUER}/token/introspect`,
    ...(signedResponseAlgorithm !== undefined && {
      introspection_signed_response_alg: signedResponseAlgorithm,
    }),
  };
  const service = await startService({ name: 'registration', environment, prefix: [] });
  try {
    const response = await requestOnce(service.port, registrationRequest(metadata, { token: masterToken }));
    if (response.status !== 200) throw new Error(`the resource server was not registered: ${response.body}`);
    return parseRegisteredClient(response.body);
  } finally {
    await service.process.stop();
  }
}
