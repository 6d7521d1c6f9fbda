import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, information, pathOf, registered, send } from '../support/calls.js';
import { documentServer } from '../support/document-server.js';

const URIS = ['https://one.example/cb', 'https://two.example/cb'];
const UNREADABLE = badRequest(
  'invalid_client_metadata',
  'sector_identifier_uri: must point to a JSON array of strings',
);

/** A service that may reach a sector document that lists all redirect URIs. */
async function aSector() {
  const outside = await documentServer();
  outside.documents.set('/sector', { type: 'application/json', body: JSON.stringify(URIS) });
  const test = await buildTestApp({ EGRESS_ALLOW_HOSTS: outside.host });
  const body = {
    redirect_uris: URIS,
    subject_type: 'pairwise',
    sector_identifier_uri: outside.url('/sector'),
  };
  return { ...test, outside, body };
}

it('registers and updates clients whose redirect URIs the document lists (OpenID Connect DCR 1.0 section 5)', async () => {
  const { app, outside, body } = await aSector();
  const client = await registered(app, body);
  expect(client).toMatchObject(body);
  const update = { ...body, client_id: client.client_id, redirect_uris: URIS.slice(1) };
  information(await send(app, `PUT ${pathOf(client.client_id)}`, { token: MASTER, body: update }));
  expect(outside.requested).toEqual(['/sector', '/sector']);
});

it('also reads the document in a dry run', async () => {
  const { app, outside, body } = await aSector();
  const dryRun = (changes: object) =>
    send(app, 'POST /clients?dry_run=true', { token: MASTER, body: { ...body, ...changes } });
  expect((await dryRun({})).status).toBe(200);
  expect((await dryRun({ redirect_uris: [...URIS, 'https://three.example/cb'] })).status).toBe(400);
  expect(outside.requested).toHaveLength(2);
});

it('refuses with one description whatever else the document contains, and consumes nothing', async () => {
  const { app, outside, body, initialToken, usesLeft, all } = await aSector();
  outside.documents.set('/object', { type: 'application/json', body: '{}' });
  outside.documents.set('/html', { type: 'text/html', body: JSON.stringify(URIS) });
  const token = await initialToken('client-reg');
  for (const path of ['/missing', '/object', '/html']) {
    const call = { token, body: { ...body, sector_identifier_uri: outside.url(path) } };
    expect(await send(app, 'POST /clients', call), path).toEqual(UNREADABLE);
  }
  const unlisted = { ...body, redirect_uris: ['https://three.example/cb'] };
  expect((await send(app, 'POST /clients', { token, body: unlisted })).status).toBe(400);
  expect(await usesLeft(token)).toBe(1);
  expect(await all()).toEqual([]);
});

it('requests nothing before granted scopes and metadata are checked, and only from exempted hosts', async () => {
  const { app, outside, body, initialToken } = await aSector();
  const weak = await initialToken('client-reg:grant:code');
  await send(app, 'POST /clients', { token: weak, body: { ...body, data: {} } });
  await send(app, 'POST /clients', { token: MASTER, body: { ...body, redirect_uris: ['none'] } });
  expect(outside.requested).toEqual([]);
  const strict = await buildTestApp();
  for (const uri of [outside.url('/sector'), 'https://127.0.0.1/sector', 'https://localhost/sector'])
    expect(
      (
        await send(strict.app, 'POST /clients', {
          token: MASTER,
          body: { ...body, sector_identifier_uri: uri },
        })
      ).status,
      uri,
    ).toBe(400);
  expect(outside.requested).toEqual([]);
});
