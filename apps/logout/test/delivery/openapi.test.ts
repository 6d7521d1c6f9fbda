import { createMasterToken } from '@vestibule/crypto';
import { createServer } from '@vestibule/http';
import { committedDocument, operationIds, requireSoundDocument } from '@vestibule/http/testing';
import { expect, it, onTestFinished } from 'vitest';
import { DELIVERY_DOCUMENT_PATH, deliveryApi, deliveryRouteGroup, deliveryRoutes } from '../../src/index.js';
import { ISSUER } from '../support/delivery-fixture.js';

const committed = committedDocument(new URL('../../openapi.json', import.meta.url));

const DEPS = {
  issuer: ISSUER,
  masterToken: createMasterToken([]),
  outbox: { list: async () => [], redeliver: async () => 'unknown' as const },
};

it('is committed as generated from the routes; `pnpm --filter @vestibule/logout-service openapi` writes it', () => {
  expect(committed).toEqual(JSON.parse(JSON.stringify(deliveryApi(deliveryRouteGroup(DEPS)))));
});

it('is served without authentication, with the address of the service', async () => {
  const app = createServer({ logger: false });
  app.register(deliveryRoutes, DEPS);
  onTestFinished(() => app.close());
  const { statusCode, body } = await app.inject({ url: DELIVERY_DOCUMENT_PATH });
  const { servers, ...rest } = JSON.parse(body);
  expect([statusCode, servers]).toEqual([200, [{ url: ISSUER }]]);
  expect(rest).toEqual(committed);
});

it('describes every operation once and has no dangling reference', () => {
  expect(operationIds(committed)).toEqual(['listLogoutDeliveries', 'redeliverLogout']);
  requireSoundDocument(committed);
});
