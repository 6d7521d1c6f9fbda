import type { Client } from '@vestibule/clients';
import {
  blockClients,
  type ClientBlockName,
  endBlockedClients,
  parseBlockedHost,
  parseBlockedRedirectUri,
  parseBlockedSoftware,
} from '@vestibule/clients/blocks';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { CLIENT_BLOCK_STATEMENTS } from './client-blocks.js';
import { CLIENT_STATEMENTS } from './client-repository.js';
import type { Database } from './open-database.js';
import { aClient, aDigest, anAccessToken, anId, NOW, opened, twoProcesses } from './testing/fixtures.js';
import { heldTransaction, untilWaitingOrDone } from './testing/held-transaction.js';
import { aMigratedDatabase, query } from './testing/test-database.js';

const CHANGE = { actor: 'operator:jane', now: NOW } as const;
const REFUSED = { code: 'invalid_client_metadata' };

const aDatabase = async () => opened({ url: await aMigratedDatabase() });

const clientWith = (id: string, metadata: object) =>
  aClient({ id: anId(id), metadata: metadata as unknown as Client['metadata'] });

const withRedirect = (id: string, uri: string) => clientWith(id, { redirect_uris: [uri] });

/** Deletes what is blocked, and returns the identifiers in order. */
async function ended({ clientBlocks: blocks }: Database, batchSize = 2): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of endBlockedClients({ blocks, clock: frozenClock() }, { ...CHANGE, batchSize }))
    found.push(...batch.map(({ id }) => id));
  return found;
}

const added = ({ clientBlocks }: Database, ...names: ClientBlockName[]) =>
  clientBlocks.add(names, undefined, CHANGE);

describe('a blocked host', () => {
  // Otherwise a blocked application comes back under another spelling.
  it.each([
    ['another case', 'https://APP.Example/cb'],
    ['a port', 'https://app.example:8443/cb'],
    ['http', 'http://app.example/cb'],
    ['a user name', 'https://user:pw@app.example/cb'],
    ['a user name that looks like a host', 'https://other.example@app.example:1/cb'],
    ['a dot at the end', 'https://app.example./cb'],
    ['no path', 'https://app.example?x=https://other.example'],
    ['a fragment', 'https://app.example#@other.example'],
  ])('covers a redirect URI with %s', async (_spelling, uri) => {
    const database = await aDatabase();
    await added(database, parseBlockedHost('app.example'));
    await expect(database.clients.create(withRedirect('a', uri))).rejects.toMatchObject(REFUSED);
  });

  it.each([
    ['another host with it as a user name', 'https://app.example@other.example/cb'],
    ['a longer host', 'https://app.example.other.example/cb'],
    ['a host that ends with it', 'https://myapp.example/cb'],
    ['a subdomain', 'https://sub.app.example/cb'],
    ['its name in the path', 'https://other.example/https://app.example/cb'],
    ['a private-use scheme with its name as authority', 'com.other://app.example/cb'],
  ])('does not cover %s', async (_spelling, uri) => {
    const database = await aDatabase();
    await added(database, parseBlockedHost('app.example'));
    expect(await database.clients.create(withRedirect('a', uri))).toBe('created');
  });

  it('covers all subdomains and not the host itself as a wildcard', async () => {
    const database = await aDatabase();
    await added(database, parseBlockedHost('*.app.example'));
    const create = (uri: string) => database.clients.create(withRedirect(uri, uri));
    await expect(create('https://a.app.example/')).rejects.toMatchObject(REFUSED);
    await expect(create('https://a.b.app.example/')).rejects.toMatchObject(REFUSED);
    expect(await create('https://app.example/')).toBe('created');
    expect(await create('https://myapp.example/')).toBe('created');
  });

  it('covers every URI of a client, its own identifier and that of its entity', async () => {
    const database = await aDatabase();
    await added(database, parseBlockedHost('app.example'), parseBlockedHost('[2001:DB8::1]'));
    const uri = 'https://app.example/x';
    for (const metadata of [
      { client_uri: uri },
      { 'client_uri#de': uri },
      { logo_uri: uri },
      { jwks_uri: uri },
      { request_uris: ['https://other.example/', uri] },
      { initiate_login_uri: uri },
      { sector_identifier_uri: uri },
      { resource_identifiers: [uri] },
      { tls_client_auth_san_uri: uri },
      { post_logout_redirect_uris: ['https://other.example/', uri] },
      { backchannel_logout_uri: 'https://[2001:db8::1]:8443/x' },
    ])
      await expect(database.clients.create(clientWith('a', metadata))).rejects.toMatchObject(REFUSED);
    await expect(database.clients.create(clientWith(uri, {}))).rejects.toMatchObject(REFUSED);
    expect(await database.clientBlocks.isBlocked(anId(uri))).toBe(true);
    expect(await database.clientBlocks.isBlocked(anId('https://other.example/x'))).toBe(false);
    expect(await database.clients.create(clientWith('b', { client_name: uri, contacts: [uri] }))).toBe(
      'created',
    );
  });
});

describe('a blocked redirect URI', () => {
  it.each([
    ['https://app.example/cb', 'HTTPS://App.Example:443/cb', 'https://app.example/CB'],
    ['https://app.example', 'https://app.example/', 'https://app.example/cb'],
    ['https://app.example/*', 'https://APP.example/any?x=1', 'https://app.example:8443/any'],
    ['http://localhost:3000/cb', 'http://localhost:4711/cb', 'http://127.0.0.1:3000/cb'],
    ['cursor:*', 'cursor://anysphere.cursor-mcp/oauth', 'cursors://anysphere.cursor-mcp/oauth'],
    ['com.app:/cb', 'com.app:/cb', 'com.app:/cb/2'],
    ['com.app://Host/*', 'com.app://host/cb', 'com.app:/cb'],
  ])('%s covers %s and not %s', async (blocked, covered, other) => {
    const database = await aDatabase();
    await added(database, parseBlockedRedirectUri(blocked));
    await expect(database.clients.create(withRedirect('a', covered))).rejects.toMatchObject(REFUSED);
    expect(await database.clients.create(withRedirect('b', other))).toBe('created');
  });
});

it('refuses a client that becomes the one of a blocked entity', async () => {
  const database = await aDatabase();
  await added(database, parseBlockedHost('*.bad_1.example'));
  const client = clientWith('a', {});
  expect(await database.clients.create(client)).toBe('created');
  const federation = {
    entityId: 'https://rp.bad_1.example',
    trustAnchor: 'https://anchor.example',
    superior: 'https://anchor.example',
    chainExpiresAt: NOW,
    statementIssuedAt: NOW,
    isAddressed: true,
  };
  const changed = { ...client, federation, version: 2 };
  await expect(database.clients.replace({ client: changed })).rejects.toMatchObject(REFUSED);
});

it('tells beforehand what would be refused', async () => {
  const { clients, clientBlocks } = await aDatabase();
  await clientBlocks.add([parseBlockedHost('app.example'), parseBlockedSoftware('bad')], undefined, CHANGE);
  const isBlocked = (id: string | undefined, metadata: object) =>
    clients.isBlocked({ ...(id !== undefined && { id: anId(id) }), metadata: metadata as never });
  expect(await isBlocked(undefined, { software_id: 'bad' })).toBe(true);
  expect(await isBlocked('https://app.example/client.json', {})).toBe(true);
  expect(await isBlocked(undefined, { software_id: 'good' })).toBe(false);
});

it('refuses to register blocked software, and to change a client into it', async () => {
  const database = await aDatabase();
  await added(database, parseBlockedSoftware('bad'));
  await expect(database.clients.create(clientWith('a', { software_id: 'bad' }))).rejects.toMatchObject(
    REFUSED,
  );
  const good = clientWith('b', { software_id: 'Bad' });
  expect(await database.clients.create(good)).toBe('created');
  const changed = { ...clientWith('b', { software_id: 'bad' }), version: 2 };
  await expect(database.clients.replace({ client: changed })).rejects.toMatchObject(REFUSED);
  expect((await database.clients.find(good.id))?.metadata).toEqual(good.metadata);
});

it('consumes no initial access token for a blocked client', async () => {
  const database = await aDatabase();
  await added(database, parseBlockedSoftware('bad'));
  const digest = aDigest('initial');
  await database.initialAccessTokens.insert({
    digest,
    scope: 'client-reg' as never,
    audience: [],
    issuedAt: NOW,
    expiresAt: (NOW + 600) as typeof NOW,
    usesLeft: 1,
  });
  const terms = { consuming: { digests: [digest], now: NOW } };
  const creation = database.clients.create(clientWith('a', { software_id: 'bad' }), terms);
  await expect(creation).rejects.toMatchObject(REFUSED);
  expect((await database.initialAccessTokens.find([digest]))?.usesLeft).toBe(1);
});

it('deletes every client that was there, with its tokens and an audit event each, and no other', async () => {
  const url = await aMigratedDatabase();
  const database = opened({ url });
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    await database.clients.create(clientWith(id, { software_id: id < 'd' ? 'bad' : 'good' }));
  for (const id of ['a', 'd'])
    await database.accessTokens.insert(aDigest(id), anAccessToken({ clientId: anId(id) }));
  const software = parseBlockedSoftware('bad');
  const blocks = database.clientBlocks;
  const planned = await blocks.find([software], { limit: 4 });
  expect(planned).toEqual({ blocked: ['a', 'b', 'c'].map(blockedClient), last: 'd' });
  await added(database, software);
  expect(await blocks.list()).toEqual([{ ...software, blockedAt: NOW }]);
  expect(await ended(database)).toEqual(['a', 'b', 'c']);
  expect(await query(url, 'SELECT id FROM client ORDER BY id')).toEqual([{ id: 'd' }, { id: 'e' }]);
  expect(await query(url, 'SELECT client_id FROM access_token')).toEqual([{ client_id: 'd' }]);
  expect(
    await query(url, `SELECT value FROM revocation_cutoff WHERE kind = 'client' ORDER BY value`),
  ).toEqual(['a', 'b', 'c'].map((value) => ({ value })));
  expect(
    await query(
      url,
      `SELECT actor, action, target FROM audit_event WHERE action LIKE '%block%' ORDER BY target`,
    ),
  ).toEqual([
    { actor: 'operator:jane', action: 'client_block.added', target: 'block:software_id:bad' },
    ...['a', 'b', 'c'].map((id) => ({
      actor: 'operator:jane',
      action: 'client.blocked',
      target: `client:${id}`,
    })),
  ]);
  expect(await blocks.list()).toMatchObject([{ endedAt: expect.anything() }]);
});

const blockedClient = (id: string) => ({ id, origin: 'registration', issuedAt: NOW });

it('carries on in another process where one was interrupted', async () => {
  const { one, other } = await twoProcesses();
  for (const id of ['a', 'b', 'c', 'd']) await one.clients.create(clientWith(id, { software_id: 'bad' }));
  const names = [parseBlockedSoftware('bad')];
  const input = { ...CHANGE, names, dryRun: false, batchSize: 1 };
  for await (const [first] of blockClients({ blocks: one.clientBlocks, clock: frozenClock() }, input)) {
    expect(first?.id).toBe('a');
    break;
  }
  expect(await one.clientBlocks.list()).toEqual([{ ...names[0], blockedAt: expect.anything() }]);
  expect(await ended(other)).toEqual(['b', 'c', 'd']);
  expect(await ended(one)).toEqual([]);
});

it('is carried out by the clean-up of another process where the command ended right after the block', async () => {
  const { url, one, other } = await twoProcesses();
  for (const id of ['a', 'b', 'c'])
    await one.clients.create(clientWith(id, { software_id: id < 'c' ? 'bad' : 'good' }));
  const name = parseBlockedSoftware('bad');
  await added(one, name);
  await other.cleanUp({ now: NOW });
  expect(await query(url, 'SELECT id FROM client')).toEqual([{ id: 'c' }]);
  expect(
    await query(url, `SELECT actor, target FROM audit_event WHERE action = 'client.blocked' ORDER BY target`),
  ).toEqual(['a', 'b'].map((id) => ({ actor: 'service', target: `client:${id}` })));
  expect(await one.clientBlocks.list()).toEqual([{ ...name, blockedAt: NOW, endedAt: NOW }]);
});

// Otherwise a client that registered in between, behind the deletion, would stay.
it('stays pending if it was lifted and added again during the deletion', async () => {
  const { one, other } = await twoProcesses();
  const name = parseBlockedSoftware('bad');
  await one.clients.create(clientWith('b', { software_id: 'bad' }));
  const input = { ...CHANGE, names: [name], dryRun: false, batchSize: 1 };
  for await (const [deleted] of blockClients({ blocks: one.clientBlocks, clock: frozenClock() }, input)) {
    expect(deleted?.id).toBe('b');
    await other.clientBlocks.remove(name, CHANGE);
    expect(await other.clients.create(clientWith('a', { software_id: 'bad' }))).toBe('created');
    await added(other, name);
  }
  expect(await other.clientBlocks.pending()).toMatchObject([name]);
  expect(await ended(other)).toEqual(['a']);
  expect(await other.clientBlocks.pending()).toEqual([]);
});

it('examines all clients again when it is repeated, and keeps its reason', async () => {
  const url = await aMigratedDatabase();
  const database = opened({ url });
  const name = parseBlockedSoftware('bad');
  await database.clientBlocks.add([name], 'phishing', CHANGE);
  expect(await ended(database)).toEqual([]);
  // As a restore of the rows does.
  await query(
    url,
    `BEGIN; SET LOCAL session_replication_role = replica; ${INSERT.replace('$1', "'a'")}; COMMIT`,
  );
  expect(await ended(database)).toEqual([]);
  await added(database, name);
  expect(await ended(database)).toEqual(['a']);
  expect(await database.clientBlocks.list()).toMatchObject([{ ...name, reason: 'phishing' }]);
});

it('deletes clients in smaller batches if one takes longer than a statement may', async () => {
  const url = await aMigratedDatabase();
  const ids = Array.from({ length: 30 }, (_, index) => `c${index + 10}`);
  const { clients } = opened({ url });
  for (const id of ids) await clients.create(clientWith(id, { software_id: 'bad' }));
  await query(
    url,
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.05); RETURN OLD; END $$;
     CREATE TRIGGER slow BEFORE DELETE ON client FOR EACH ROW EXECUTE FUNCTION slow()`,
  );
  const database = opened({ url, statementTimeoutMs: 1_000 });
  await added(database, parseBlockedSoftware('bad'));
  expect(await ended(database, 30)).toEqual(ids);
  expect(await query(url, 'SELECT FROM client')).toEqual([]);
});

it('lets the same client register again when the block is lifted', async () => {
  const database = await aDatabase();
  const name = parseBlockedRedirectUri('https://APP.example/cb');
  await added(database, name);
  const client = withRedirect('a', 'https://app.example/cb');
  await expect(database.clients.create(client)).rejects.toMatchObject(REFUSED);
  expect(await database.clientBlocks.remove(name, CHANGE)).toBe(true);
  expect(await database.clientBlocks.remove(name, CHANGE)).toBe(false);
  expect(await database.clients.create(client)).toBe('created');
});

// Otherwise a registration in progress survives: the block does not see it, and it does not see the block.
it('waits for a registration in progress, and then finds its client', async () => {
  const { url, one, other } = await twoProcesses();
  const registration = await heldTransaction(url);
  await registration.run({ ...CLIENT_STATEMENTS.find, text: INSERT }, ['a']);
  const { isWaiting, result } = await untilWaitingOrDone(url, () => added(one, parseBlockedSoftware('bad')));
  expect(isWaiting).toBe(true);
  await registration.commit();
  await result;
  expect(await ended(other)).toEqual(['a']);
});

it('makes a registration that begins beside a block wait for it, and refuses it', async () => {
  const { url, one } = await twoProcesses();
  const block = await heldTransaction(url);
  await block.run(CLIENT_BLOCK_STATEMENTS.add, [['software_id'], ['bad'], NOW, 'operator:jane', null]);
  const { isWaiting, result } = await untilWaitingOrDone(url, () =>
    one.clients.create(clientWith('a', { software_id: 'bad' })),
  );
  expect(isWaiting).toBe(true);
  await block.commit();
  await expect(result).rejects.toMatchObject(REFUSED);
});

const INSERT = `INSERT INTO client (id, metadata, rights, issued_at, updated_at)
  VALUES ($1, '{"software_id": "bad"}', '', now(), now())`;
