import type { DocumentUrl } from '@vestibule/clients/metadata-documents';
import { afterEach, expect, it } from 'vitest';
import { clientDocumentSource } from './client-document-source.js';
import { createEgress, type EgressOptions } from './egress.js';
import { documentServers, type ServedDocument } from './testing/document-servers.js';
import { type RawServer, respondHttp, startRawServer } from './testing/raw-server.js';

const { serve, close } = documentServers();
const servers: RawServer[] = [];
afterEach(async () => {
  await close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function fetchServed(served: ServedDocument) {
  const { egress, url } = await serve(...served);
  return clientDocumentSource(egress, { maxBytes: 100 }).fetch(url as DocumentUrl, {});
}

it.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.app+json'])(
  'reads a document of the type %s',
  async (type) => {
    expect(await fetchServed(['{}', type])).toMatchObject({ outcome: 'fetched', text: '{}' });
  },
);

it.each([
  ['text/json', '200 OK', 'media_type 200'],
  ['application/jsonp', '200 OK', 'media_type 200'],
  ['application/json', '201 Created', 'status 201'],
  ['application/json', '302 Found', 'redirect 302'],
  ['application/json', '304 Not Modified', 'redirect 304'],
])('does not read one of the type %s with the status %s', async (type, status, detail) => {
  expect(await fetchServed(['{}', type, status])).toEqual({ outcome: 'failed', detail });
});

it.each(['404 Not Found', '410 Gone'])('knows from %s that there is none', async (status) => {
  expect(await fetchServed(['', 'text/html', status])).toMatchObject({ outcome: 'missing' });
});

it('stops reading at the limit', async () => {
  expect(await fetchServed(['a'.repeat(101)])).toMatchObject({ outcome: 'failed', detail: 'too_large 200' });
});

it('sends validators, and knows from a status 304 that the document is still current', async () => {
  const server = await startRawServer((socket) =>
    respondHttp(socket, '304 Not Modified', ['etag: "two"', 'cache-control: max-age=60'], ''),
  );
  servers.push(server);
  const options: EgressOptions = { allowHosts: [`127.0.0.1:${server.port}`] };
  const source = clientDocumentSource(createEgress(options), { maxBytes: 100 });
  const validators = { etag: '"one"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };
  expect(await source.fetch(`http://127.0.0.1:${server.port}/c` as DocumentUrl, validators)).toEqual({
    outcome: 'unchanged',
    caching: { etag: '"two"', lifetimeSeconds: 60 },
  });
  expect(server.heads.join('')).toMatch(
    /if-none-match: "one"\r\nif-modified-since: Thu, 01 Jan 2026 00:00:00 GMT\r\n/i,
  );
});
