import { operatorActor } from '@vestibule/clients';
import { changeClient } from '@vestibule/clients/management';
import { operatorAuthority, registerClient } from '@vestibule/clients/registration';
import { epochSeconds } from '@vestibule/protocol';
import { aClient, aClientId, TEST_NOW } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { readText } from '../../support/shown-page.js';

const SETUP = operatorActor('setup');

describe('the page of a client', () => {
  it('shows its state and metadata, what differs from the defaults first, and no credential', async () => {
    const { get, deps } = await buildTestConsole();
    const { information } = await registerClient(deps.registration, {
      authority: operatorAuthority(SETUP),
      body: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'], data: { tier: 'gold' } },
    });
    const { status, text } = await get(`/clients/${information.client_id}`);
    expect(status).toBe(200);
    const [own = '', defaults = ''] = readText(text).split(/Defaults \(\d+\)/);
    expect(own).toContain('https://shop.example/cb');
    expect(own).toContain('the master token, or an operator');
    expect(own).not.toContain('token_endpoint_auth_method');
    expect(defaults).toContain('token_endpoint_auth_method');
    expect(defaults).toContain('gold');
    for (const name of ['client_secret', 'registration_access_token'])
      expect(text).not.toContain(String(information[name]));
  });

  it('shows changes with both values, by whom, and of data and contacts only that they changed', async () => {
    const { get, deps } = await buildTestConsole();
    const { information } = await registerClient(deps.registration, {
      authority: operatorAuthority(SETUP),
      body: { client_name: 'Shop', redirect_uris: ['https://shop.example/cb'] },
    });
    await changeClient(deps.registration, {
      id: information.client_id,
      operator: operatorActor('jane'),
      change: ({ metadata }) => ({
        ...metadata,
        client_name: 'Store',
        contacts: ['alice@shop.example'],
        data: { key: 'of the registrant' },
      }),
    });
    const page = await get(`/clients/${information.client_id}/history`);
    const history = readText(page.text);
    expect(history).toMatch(/operator:jane ?client.updated/);
    expect(history).toContain('client_name: Shop → Store');
    expect(history).toContain('contacts: not recorded');
    expect(history).toContain('data: not recorded');
    expect(page.text).not.toMatch(/alice@|of the registrant/);
  });

  it('pages through a long history, also of a deleted client', async () => {
    const { get, store } = await buildTestConsole();
    const client = aClient();
    await store.database.clients.create(client);
    for (let version = 2; version <= 60; version += 1)
      await store.database.clients.replace({
        client: { ...client, version, updatedAt: epochSeconds(TEST_NOW + version) },
        actor: operatorActor(`jane-${version}`),
      });
    await store.database.clients.delete(client.id, epochSeconds(TEST_NOW + 100));
    expect((await get('/clients/client')).status).toBe(404);
    const pages: string[] = [];
    let next: string | undefined = '/clients/client/history';
    while (next !== undefined) {
      const { text } = await get(next);
      pages.push(text);
      next = /href="([^"]+before=[^"]+)"/.exec(text)?.[1];
    }
    const numbers = pages.flatMap((text) => [...text.matchAll(/>operator:<wbr>jane-(\d+)/g)]);
    expect(numbers.map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 59 }, (_, index) => 60 - index),
    );
    expect(readText(pages.at(-1) ?? '')).toContain('client.registered');
  });

  it('is a 404 page for unknown clients and for texts that no client can have as its identifier', async () => {
    const { get } = await buildTestConsole();
    for (const id of ['unknown', '%20', '%00', 'a%2Fb', '%ff', 'x'.repeat(3_000)]) {
      const { status, text } = await get(`/clients/${id}`);
      expect(status, id).toBe(404);
      expect(text).toContain('There is no such page');
      expect((await get(`/clients/${id}/history`)).status, id).toBe(404);
      expect((await get(`/clients/${id}/edit`, 'operator')).status, id).toBe(404);
    }
  });

  it('shows hostile metadata and data as they are, loads nothing, and stays small', async () => {
    const { get, store } = await buildTestConsole();
    const { element, direction } = HOSTILE_TEXTS;
    const long = 'x'.repeat(10_000);
    await store.database.clients.create(
      aClient({
        id: aClientId('https://rp.example/"><script>'),
        metadata: {
          client_name: element,
          logo_uri: 'https://tracker.example/pixel.png',
          contacts: [direction],
          'client_name#de': long,
          software_id: long,
        },
        data: { [element]: long, [direction]: Object.values(HOSTILE_TEXTS) },
      }),
    );
    const { status, text } = await get(`/clients/${encodeURIComponent('https://rp.example/"><script>')}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script>|<img|<h1>A|[\u202e\u2066]|(?:src|href)="https:/);
    expect(readText(text)).toContain('https://tracker.example/pixel.png');
    expect(text.length).toBeLessThan(30_000);
  });

  it('shows what is stored about a metadata document, and the owner of a client', async () => {
    const { get, store } = await buildTestConsole();
    const url = 'https://app.example/client.json';
    await store.database.clients.create(
      aClient({ id: aClientId(url), origin: 'metadata_document', expiresAt: epochSeconds(TEST_NOW + 60) }),
    );
    const { text } = await get(`/clients/${encodeURIComponent(url)}`);
    expect(readText(text)).toContain('A metadata document registered this client');
  });
});
