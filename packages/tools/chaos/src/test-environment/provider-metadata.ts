import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Closers } from '@vestibule/local-services';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { ISSUER } from './installation.js';

const METADATA = {
  issuer: ISSUER,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'client_credentials'],
};

/** Serves only the metadata of the authorization server. @returns its host and port */
export async function serveProviderMetadata(toEnd: Closers): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', MEDIA_TYPE.json);
    response.end(JSON.stringify(METADATA));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  toEnd.add(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
