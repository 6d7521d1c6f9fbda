import { once } from 'node:events';
import { accessTokenOf, protect, serveMetadata } from '@vestibule/resource-server/express';
import express from 'express';
import { apiWithPackage, type OpenApi, PATHS, SCOPES } from './protected-api.js';

/** Starts an API on Express. */
export const openExpressApi: OpenApi = async (place, toEnd) => {
  const { api, server } = apiWithPackage(place, toEnd);
  const app = express();
  app.use(serveMetadata(server));
  for (const path of PATHS)
    app.get(path, protect(server, { scope: SCOPES[path] }), (request, response) => {
      response.json({ sub: accessTokenOf(request).subject });
    });
  const listener = app.listen(place.port, '127.0.0.1');
  await once(listener, 'listening');
  toEnd.add(async () => {
    listener.close();
    listener.closeAllConnections();
  });
  return api;
};
