import { accessTokenOf, metadataRoute, protect } from '@vestibule/resource-server/fastify';
import Fastify from 'fastify';
import { apiWithPackage, type OpenApi, PATHS, SCOPES } from './protected-api.js';

/** Starts an API on Fastify. */
export const openFastifyApi: OpenApi = async (place, toEnd) => {
  const { api, server } = apiWithPackage(place, toEnd);
  const app = Fastify({ forceCloseConnections: true });
  app.route(metadataRoute(server));
  for (const path of PATHS)
    app.get(path, { onRequest: protect(server, { scope: SCOPES[path] }) }, async (request) => ({
      sub: accessTokenOf(request).subject,
    }));
  await app.listen({ port: place.port, host: '127.0.0.1' });
  toEnd.add(() => app.close());
  return api;
};
