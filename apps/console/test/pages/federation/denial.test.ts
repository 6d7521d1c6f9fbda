import { operatorActor } from '@vestibule/clients';
import { carryOutDenial } from '@vestibule/federation/clients';
import { foreignSql } from '@vestibule/local-services/testing';
import { epochSeconds } from '@vestibule/protocol';
import { aClient, aClientId, TEST_NOW } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { sentForm, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { textOf } from './federation-fixture.js';

const ENTITY = 'https://low.example';
const ANCHOR = 'https://anchor.example';

const member = (name: string, superior = ENTITY) =>
  aClient({
    id: aClientId(name),
    origin: 'federation_explicit',
    federation: {
      entityId: `https://${name}.example`,
      trustAnchor: ANCHOR,
      superior,
      chainEntities: [`https://${name}.example`, superior, ANCHOR],
      chainExpiresAt: epochSeconds(TEST_NOW + 86_400),
      statementIssuedAt: TEST_NOW,
      isAddressed: true,
    },
  });

async function aConsoleWithMembers() {
  const console = await buildTestConsole();
  for (const client of [member('one'), member('two'), member('other', 'https://else.example')])
    await console.store.database.clients.create(client);
  return console;
}

const clientIds = async ({ store }: Pick<TestConsole, 'store'>) =>
  (await store.database.clients.page({}, 10)).clients.map(({ id }) => id).toSorted();

/** What was recorded, beside the registrations of the fixture. */
const recorded = async (built: Pick<TestConsole, 'store'>) =>
  (await storedEvents(built))
    .filter(({ action }) => action !== 'client.registered')
    .map(({ actor, action, target }) => `${actor} ${action} ${target}`);

it('denies an entity and deletes the clients that are registered through it, as the operator', async () => {
  const console = await aConsoleWithMembers();
  const page = await console.get(`/federation/deny?entity=${encodeURIComponent(ENTITY)}`, 'admin');
  expect(page.status).toBe(200);
  expect(textOf(page.text)).toContain('2 clients are registered through this entity');
  expect(page.text).toContain('href="/clients/one"');
  const form = { ...sentForm(page.text, '/federation/deny'), reason: 'keys stolen', confirmation: ENTITY };
  const { status, text } = await console.post('/federation/deny', form);
  expect(status).toBe(200);
  expect(textOf(text)).toContain(`${ENTITY} is denied; clients deleted: 2.`);
  expect(await clientIds(console)).toEqual(['other']);
  expect(await console.store.database.federation.denied()).toMatchObject([
    { entityId: ENTITY, reason: 'keys stolen' },
  ]);
  expect(await recorded(console)).toEqual([
    `operator:a-admin federation.entity_denied entity:${ENTITY}`,
    'operator:a-admin client.deleted client:one',
    'operator:a-admin client.deleted client:two',
  ]);
  expect(textOf((await console.get('/federation', 'viewer')).text)).toContain('keys stolen');
});

it('counts the clients to a thousand, and names twenty of them', async () => {
  const { store, databaseUrl, get } = await buildTestConsole();
  await store.database.clients.create(member('one'));
  const sql = await foreignSql(databaseUrl);
  const page = async () => (await get(`/federation/deny?entity=${encodeURIComponent(ANCHOR)}`, 'admin')).text;
  const copyTo = (from: number, to: number) =>
    sql(
      `INSERT INTO client (id, metadata, rights, issued_at, updated_at, origin, entity_id, trust_anchor, superior,
          chain_expires_at, statement_issued_at)
        SELECT id || n, metadata, rights, issued_at, updated_at, origin, entity_id || n, trust_anchor, superior,
          chain_expires_at, statement_issued_at
        FROM client, generate_series($1::integer, $2::integer) AS n WHERE id = 'one'`,
      [from, to],
    );
  await copyTo(1, 999);
  expect(textOf(await page())).toContain('1,000 clients are registered through this entity');
  await copyTo(1_000, 1_000);
  const text = await page();
  expect(textOf(text)).toContain('More than 1,000 clients are registered through this entity');
  expect(textOf(text)).toContain('Only 20 of them are listed.');
  expect(text.match(/href="\/clients\/one\d*"/g)).toHaveLength(20);
});

it('deletes not more clients than the page showed, and shows the new number', async () => {
  const console = await aConsoleWithMembers();
  const open = async () =>
    sentForm(
      (await console.get(`/federation/deny?entity=${encodeURIComponent(ENTITY)}`, 'admin')).text,
      '/federation/deny',
    );
  const opened = { ...(await open()), reason: 'keys stolen', confirmation: ENTITY };
  await console.store.database.clients.create(member('three'));
  for (const form of [
    opened,
    { ...opened, seen: '' },
    { ...opened, seen: '-1' },
    { ...opened, seen: 'many' },
  ]) {
    const refused = await console.post('/federation/deny', form);
    expect(refused.status).toBe(409);
    const { alerts, text } = shownPage(refused);
    expect(alerts).toEqual([expect.stringContaining('Nothing was changed.')]);
    expect(text).toContain('3 clients are registered through this entity');
    expect(sentForm(refused.text, '/federation/deny')).toMatchObject({ seen: '3', reason: 'keys stolen' });
  }
  expect(await clientIds(console)).toEqual(['one', 'other', 'three', 'two']);
  expect(await console.store.database.federation.denied()).toEqual([]);
  expect(await recorded(console)).toEqual([]);

  const again = { ...(await open()), confirmation: ENTITY };
  // Fewer than the person saw is what the person wanted.
  await console.store.database.clients.delete(aClientId('three'), TEST_NOW, {});
  expect((await console.post('/federation/deny', again)).status).toBe(200);
  expect(await clientIds(console)).toEqual(['other']);
});

it('deletes none if clients register between the check and the denial, and shows how many are left', async () => {
  const { store, clock } = await aConsoleWithMembers();
  const { database } = store;
  const denial = { entityId: ENTITY, actor: operatorActor('jane'), maxClients: 1 };
  const deps = { clock, clients: database.clients, records: database.federation };
  expect(await carryOutDenial(deps, denial)).toEqual({ deleted: [], left: 2 });
  expect(await database.federation.denied()).toMatchObject([{ entityId: ENTITY }]);
  expect(await clientIds({ store })).toEqual(['one', 'other', 'two']);
  expect(await carryOutDenial(deps, { ...denial, maxClients: 2 })).toMatchObject({ left: 0 });
});

it.each(['https://vestibule-console.example', ENTITY, ANCHOR])(
  'is refused for an entity through which the client of the console is registered: %s',
  async (entity) => {
    const console = await aConsoleWithMembers();
    await console.store.database.clients.create(member('vestibule-console'));
    const page = await console.get(`/federation/deny?entity=${encodeURIComponent(entity)}`, 'admin');
    const sent = await console.post('/federation/deny', { entity, seen: '9', confirmation: entity });
    for (const response of [page, sent]) {
      expect(response.status).toBe(409);
      const { alerts, forms } = shownPage(response);
      expect(alerts).toEqual([
        expect.stringMatching(/the console logs people in with the client vestibule-console/),
      ]);
      expect(alerts[0]).toContain(`vestibule federation deny ${entity} --yes`);
      expect(forms.map(({ action }) => action)).not.toContain('/federation/deny');
    }
    expect(await clientIds(console)).toEqual(['one', 'other', 'two', 'vestibule-console']);
    expect(await console.store.database.federation.denied()).toEqual([]);
    const other = await console.get(
      `/federation/deny?entity=${encodeURIComponent('https://else.example')}`,
      'admin',
    );
    expect(other.status).toBe(200);
  },
);

it('quotes the entity in the command if a shell would interpret it', async () => {
  const console = await buildTestConsole();
  const entity = "https://low.example/$(reboot)'";
  await console.store.database.clients.create(member('vestibule-console', entity));
  const page = await console.get(`/federation/deny?entity=${encodeURIComponent(entity)}`, 'admin');
  expect(shownPage(page).alerts[0]).toContain(`'https://low.example/$(reboot)'\\''' --yes`);
});

it('changes nothing without the typed confirmation, and keeps what was typed', async () => {
  const console = await aConsoleWithMembers();
  for (const confirmation of ['', 'https://other.example', `${ENTITY}/`]) {
    const form = { entity: ENTITY, reason: 'a "reason" <b>', confirmation };
    const { status, text } = await console.post('/federation/deny', form);
    expect(status).toBe(400);
    expect(text).toContain('id="confirmation-error"');
    expect(text).toContain('value="a &quot;reason&quot; &lt;b&gt;"');
  }
  const long = { entity: ENTITY, reason: 'a\nb', confirmation: ENTITY };
  const refused = await console.post('/federation/deny', long);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('id="reason-error"');
  expect(await clientIds(console)).toEqual(['one', 'other', 'two']);
  expect(await recorded(console)).toEqual([]);
});

it('lets a denied entity register again', async () => {
  const console = await aConsoleWithMembers();
  await console.post('/federation/deny', { entity: ENTITY, seen: '2', confirmation: ENTITY });
  const allow = '/federation/allow';
  expect((await console.get(`${allow}?entity=${encodeURIComponent(ENTITY)}`, 'admin')).status).toBe(200);
  expect((await console.post(allow, { entity: ENTITY, confirmation: 'low' })).status).toBe(400);
  const { status, headers } = await console.post(allow, { entity: ENTITY, confirmation: ENTITY });
  expect([status, headers['location']]).toEqual([303, '/federation?done=allowed']);
  expect(await console.store.database.federation.denied()).toEqual([]);
  expect((await console.post(allow, { entity: ENTITY, confirmation: ENTITY })).status).toBe(404);
  expect((await console.get(`${allow}?entity=${encodeURIComponent(ENTITY)}`, 'admin')).status).toBe(404);
});

it('leaves denials to admins, and the cache to operators', async () => {
  const console = await aConsoleWithMembers();
  const form = { entity: ENTITY, confirmation: ENTITY };
  for (const role of ['viewer', 'operator'] as const) {
    for (const path of ['/federation/deny', '/federation/allow']) {
      expect((await console.get(`${path}?entity=${encodeURIComponent(ENTITY)}`, role)).status).toBe(403);
      expect((await console.post(path, form, role)).status).toBe(403);
    }
    expect((await console.get('/federation', role)).text).not.toContain('href="/federation/deny"');
  }
  expect((await console.post('/federation/purge', {}, 'viewer')).status).toBe(403);
  expect(console.refused.map(({ operator, path }) => `${operator.role} ${path}`)).toEqual([
    ...Array.from({ length: 2 }, () => 'viewer /federation/deny'),
    ...Array.from({ length: 2 }, () => 'viewer /federation/allow'),
    ...Array.from({ length: 2 }, () => 'operator /federation/deny'),
    ...Array.from({ length: 2 }, () => 'operator /federation/allow'),
    'viewer /federation/purge',
  ]);
  expect(await recorded(console)).toEqual([]);
  expect((await console.post('/federation/purge', {}, 'operator')).headers['location']).toBe(
    '/federation?done=purged',
  );
  expect(await recorded(console)).toEqual(['operator:a-operator federation.statements_purged federation']);
  expect((await console.get('/federation?done=purged')).text).toContain('Every service discards');
});

it('asks which entity, and refuses what is none', async () => {
  const { get, post } = await buildTestConsole();
  expect((await get('/federation/deny', 'admin')).status).toBe(200);
  const wrong = await get(`/federation/deny?entity=${encodeURIComponent('"><i>x')}`, 'admin');
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('id="entity-error"');
  expect(wrong.text).not.toContain('<i>');
  expect((await post('/federation/deny', { entity: 'x', confirmation: 'x' })).status).toBe(400);
});

it('denies at once, and goes on with the clients when it is repeated after its time was over', async () => {
  const console = await aConsoleWithMembers();
  const { database } = console.store;
  let nowMs = console.clock.nowMs();
  const clock = {
    nowMs: () => {
      nowMs += 1_000;
      return nowMs;
    },
  };
  const deps = { clock, clients: database.clients, records: database.federation };
  const denial = { entityId: ENTITY, actor: operatorActor('jane'), maxMs: 2_500 };
  expect(await carryOutDenial(deps, denial)).toEqual({ deleted: ['one'], left: 1 });
  expect(await database.federation.denied()).toMatchObject([{ entityId: ENTITY }]);
  expect(await clientIds(console)).toEqual(['other', 'two']);
  expect(await carryOutDenial(deps, denial)).toEqual({ deleted: ['two'], left: 0 });
});
