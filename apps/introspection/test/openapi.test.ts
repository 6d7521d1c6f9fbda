import { committedDocument, requireDocumented, requireSoundDocument } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { API_DOCUMENT_PATH, introspectionApi, introspectionRouteGroup } from '../src/index.js';
import { call, type Seen, seenResponse } from './support/introspection-call.js';
import { aTestService, ISSUER } from './support/test-service.js';

const committed = committedDocument(new URL('../openapi.json', import.meta.url));

it('is committed as the routes generate it; `pnpm --filter @vestibule/introspection openapi` writes it', async () => {
  const { deps } = await aTestService();
  expect(committed).toEqual(JSON.parse(JSON.stringify(introspectionApi(introspectionRouteGroup(deps)))));
  requireSoundDocument(committed);
});

it('is served without credentials, with the address of the service', async () => {
  const { app } = await aTestService();
  const { status, body } = await seenResponse(app, { method: 'GET', url: API_DOCUMENT_PATH });
  const { servers, ...rest } = JSON.parse(body);
  expect([status, servers]).toEqual([200, [{ url: ISSUER }]]);
  expect(rest).toEqual(committed);
});

it('describes active, inactive, refused and unauthenticated responses', async () => {
  const service = await aTestService();
  const { app } = service;
  const documented = ({ status, headers, body }: Seen) =>
    requireDocumented(committed, { method: 'POST', url: '/token/introspect', status, headers, body });
  documented(await call(app, { token: await service.identifier() }));
  documented(await call(app, { token: 'x' }));
  documented(await call(app, {}));
  documented(await call(app, { token: 'x' }, { authorization: undefined }));
});
