import { rawExchange } from '@vestibule/http/testing';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { registered } from '../support/calls.js';

/** Targets of request lines, which routers, proxies and filters interpret differently. */
const spellingsOf = (id: string) => [
  '/clients',
  '/%63lients',
  '/%63%6C%69%65%6E%74%73',
  '/clients?',
  '/clients#x',
  '/clients?x=/public',
  '/clients;x',
  '/clients/',
  '/clients//',
  '//clients',
  '///clients',
  '/./clients',
  '/x/../clients',
  '/x/%2e%2e/clients',
  '/clients/.',
  '/clients/..',
  '/clients/%2e%2e/clients',
  '/clients%3F',
  '/clients%20',
  '/clients%00',
  '/clients%0d%0a',
  '/%2Fclients',
  '/%5Cclients',
  '/\\clients',
  '/Clients',
  '/CLIENTS',
  '/clients.json',
  'http://as.example/clients',
  'http://other.example/clients',
  'https://as.example/clients',
  'HTTP://as.example//clients',
  'clients',
  '*',
  `/clients/${id}`,
  `/%63lients/${id}`,
  `/clients/${id}?`,
  `/clients/${id}/`,
  `/clients/${id};x`,
  `/clients/./${id}`,
  `/clients/x/../${id}`,
  `/clients/%2e%2e/clients/${id}`,
  `/clients%2F${id}`,
  `/clients/${id}%2Fstatus`,
  `/clients/${id}/status`,
  `/clients/${id}/%73tatus`,
];

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];

it('does nothing without a credential, whatever the spelling of the URL and the claimed method', async () => {
  const { app, all } = await buildTestApp();
  const { client_id: id } = await registered(app);
  const before = await all();
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const send = async (method: string, target: string, credential = '') => {
    const body = '{"redirect_uris":["https://app.example/cb"]}';
    const lines = ['Host: as.example', 'X-HTTP-Method-Override: DELETE', 'Connection: close', credential];
    const head = [`${method} ${target} HTTP/1.1`, ...lines.filter((line) => line !== '')].join('\r\n');
    const content = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
    const request = /^P(?:OST|UT)$/.test(method) ? `${head}\r\n${content}\r\n\r\n${body}` : `${head}\r\n\r\n`;
    return (await rawExchange(port, request)).statuses;
  };
  for (const target of spellingsOf(id))
    for (const method of METHODS) {
      const [status] = await send(method, target);
      expect([400, 401, 404, 405], `${method} ${target}`).toContain(status);
    }
  expect(await all()).toEqual(before);
  const credential = `Authorization: Bearer ${MASTER}`;
  expect(await send('GET', '/%63lients', credential)).toEqual([200]);
});
