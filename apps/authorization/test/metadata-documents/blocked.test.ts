import { blockClients, parseBlockedHost, parseBlockedRedirectUri } from '@vestibule/clients/blocks';
import { nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { openBrowser } from '../support/browser.js';
import { badRequest, issued, post } from '../support/calls.js';
import { authorizationAddress, aVerifier } from '../support/code-flow.js';
import { createDocumentFixture } from '../support/document-fixture.js';

async function createFixture() {
  const here = await createDocumentFixture();
  const change = { actor: 'operator:jane', now: nowSeconds(here.deps.clock) } as const;
  const visit = async (client_id: string) =>
    openBrowser(here.app).go(authorizationAddress({ client_id }, aVerifier().challenge));
  return { ...here, blocks: here.store.database.clientBlocks, change, visit };
}

// The identifier of a document has a port in tests; a block has none.
it('refuses the documents of a blocked host without a fetch, known or not, and says so to the operator', async () => {
  const { blocks, change, host, visit, find, stored, deps } = await createFixture();
  const known = host.publish('/known.json', {});
  await find(known);
  const fetches = host.requests.length;
  await blocks.add([parseBlockedHost('127.0.0.1')], undefined, change);
  const unknown = host.publish('/unknown.json', {});
  for (const url of [known, unknown]) {
    await expect(find(url)).rejects.toMatchObject({ code: 'invalid_client', reason: 'blocked' });
    const page = await visit(url);
    expect(page).toMatchObject({ status: 400, location: undefined });
    expect(page.body).toContain('the operator of this server has blocked it');
  }
  const input = { ...change, names: [parseBlockedHost('127.0.0.1')], reason: undefined, dryRun: false };
  for await (const [client] of blockClients({ blocks, clock: deps.clock }, input))
    expect(client?.id).toBe(known);
  expect(await stored(known)).toBeUndefined();
  await expect(find(known)).rejects.toMatchObject({ reason: 'blocked' });
  expect(host.requests).toHaveLength(fetches);
});

it('refuses a document that moves to a blocked redirect URI', async () => {
  const { blocks, change, host, find } = await createFixture();
  await blocks.add([parseBlockedRedirectUri('com.bad.app:*')], undefined, change);
  const url = host.publish('/app.json', { application_type: 'native', redirect_uris: ['com.bad.app:/cb'] });
  await expect(find(url)).rejects.toMatchObject({
    reason: 'metadata',
    message: 'The operator of this server has blocked this client.',
  });
});

it('refuses a known document that changes to a blocked redirect URI, and leaves its client as it was', async () => {
  const { blocks, change, host, find, clock, stored, record } = await createFixture();
  const url = host.publish('/app.json', {}, { 'cache-control': 'max-age=600' });
  const client = await find(url);
  await blocks.add([parseBlockedRedirectUri('https://bad.example/*')], undefined, change);
  host.publish('/app.json', { redirect_uris: ['https://BAD.example:8443/cb', 'https://bad.example:443/cb'] });
  clock.advanceSeconds(600);
  await expect(find(url)).rejects.toMatchObject({ reason: 'metadata' });
  expect(await stored(url)).toEqual(client);
  expect(await record(url)).toMatchObject({ history: [{ event: 'registered' }, { event: 'refused' }] });
});

it('refuses a document that was blocked while its host took time', async () => {
  const { blocks, change, host, find, clock } = await createFixture();
  const url = host.publish('/app.json', {}, { etag: '"one"', 'cache-control': 'max-age=600' });
  await find(url);
  clock.advanceSeconds(600);
  host.hang();
  const found = find(url);
  await expect.poll(() => host.requests.length).toBe(2);
  await blocks.add([parseBlockedHost('127.0.0.1')], undefined, change);
  host.respond();
  await expect(found).rejects.toMatchObject({ reason: 'blocked' });
});

it('issues no tokens and opens no sessions for a client as soon as it is blocked, before it is deleted', async () => {
  const { app, blocks, change, register, sql } = await createFixture();
  const { client_id } = await register({ preferred_client_id: 'shop', software_id: 'bad' });
  const request = { client_id, scope: 'read' };
  await issued(app, request);
  const session = () => post(app, '/direct-authz/sessions', { sub: 'alice', client_ids: [client_id] });
  expect((await session()).status).toBe(200);
  await blocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
  expect(await post(app, '/direct-authz', request)).toEqual(
    badRequest('client_id: is not a registered client'),
  );
  expect(await session()).toEqual(badRequest('client_ids: contains a client that is not registered'));
  expect(await sql('SELECT id FROM client')).toEqual([{ id: 'shop' }]);
});

it('lets a registered client no longer log in as soon as it is blocked, before it is deleted', async () => {
  const { blocks, change, register, visit, sql } = await createFixture();
  const { client_id } = await register({ preferred_client_id: 'shop', software_id: 'bad' });
  expect((await visit(client_id)).location).toMatch(/^\/interaction\//);
  await blocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
  expect(await visit(client_id)).toMatchObject({ status: 400, location: undefined });
  expect(await sql('SELECT id FROM client')).toEqual([{ id: 'shop' }]);
});
