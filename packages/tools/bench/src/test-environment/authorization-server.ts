import { createServer } from 'node:http';
import { ENDPOINT_PATH, MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { TokenRequirements } from '../servers/api-configuration.js';
import { listenOn } from '../servers/serve-parent.js';
import { startService } from '../servers/service.js';
import { type Installation, ISSUER } from './installation.js';
import type { RegisteredClient } from './registered-client.js';

/** The authorization server behind an API, on the core of the load. */
export interface RunningAuthorizationServer {
  readonly requirements: TokenRequirements;
  readonly metadataUrl: string;
  stop(): Promise<void>;
}

const METADATA_PATH = '/.well-known/oauth-authorization-server';
/** A scope value of every issued token. */
const SCOPE = 'read';

/**
 * Starts the introspection service for APIs that authenticate as a client, and serves metadata and key set in this
 * process.
 */
export async function startAuthorizationServer(
  { environment, store }: Installation,
  { client_id: clientId, client_secret: clientSecret }: RegisteredClient,
): Promise<RunningAuthorizationServer> {
  const { process, port } = await startService({ name: 'introspection', environment, prefix: [] });
  const base = `http://127.0.0.1:${port}`;
  const introspectionEndpoint = base + ENDPOINT_PATH.introspection;
  const metadata = { issuer: ISSUER, introspection_endpoint: introspectionEndpoint };
  const server = createServer((request, response) => {
    const document = request.url === METADATA_PATH ? metadata : store.providerKeys.publicJwks();
    response.setHeader('content-type', MEDIA_TYPE.json).end(JSON.stringify(document));
  });
  const ownBase = `http://127.0.0.1:${await listenOn(server)}`;
  return {
    requirements: {
      issuer: ISSUER,
      introspectionEndpoint,
      changesEndpoint: base + ENDPOINT_PATH.tokenChanges,
      jwksUri: ownBase + ENDPOINT_PATH.jwks,
      clientId,
      clientSecret,
      audience: clientId,
      scope: SCOPE,
    },
    metadataUrl: ownBase + METADATA_PATH,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await process.stop();
    },
  };
}
