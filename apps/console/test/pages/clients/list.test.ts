import { type EpochSeconds, epochSeconds } from '@vestibule/protocol';
import { aClient, aClientId, TEST_NOW } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { readText, sentForm } from '../../support/shown-page.js';

const later = (seconds: number): EpochSeconds => epochSeconds(TEST_NOW + seconds);

async function withClients(testConsole: TestConsole, count: number) {
  for (let number = 0; number < count; number += 1)
    await testConsole.store.database.clients.create(
      aClient({
        id: aClientId(`client-${number}`),
        issuedAt: later(number),
        metadata: { client_name: `Shop ${number}` },
      }),
    );
}

/** The clients on a page, in their order. */
function listed(page: string): readonly string[] {
  return [...page.matchAll(/<code>(client-\d+)<\/code>/g)].map(([, id]) => id ?? '');
}

describe('the list of clients', () => {
  it('shows the last registered clients first, page by page, each once', async () => {
    const testConsole = await buildTestConsole();
    await withClients(testConsole, 30);
    const first = await testConsole.get('/clients');
    expect(first.status).toBe(200);
    const next = /href="(\/clients\?after=[^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await testConsole.get(next.replaceAll('&amp;', '&'));
    expect(second.text).not.toContain('Next page');
    const numbers = Array.from({ length: 30 }, (_, index) => `client-${29 - index}`);
    expect([...listed(first.text), ...listed(second.text)]).toEqual(numbers);
  });

  it('finds clients by each filter, keeps what was entered, and passes it on to the next page', async () => {
    const testConsole = await buildTestConsole();
    const { clients } = testConsole.store.database;
    await withClients(testConsole, 26);
    await clients.create(
      aClient({
        id: aClientId('client-99'),
        status: 'pending',
        origin: 'import',
        issuedAt: later(-86_400),
        metadata: {
          client_name: 'Bücher <b>',
          contacts: ['ops@books.example'],
          software_id: 'books',
          redirect_uris: ['https://books.example/cb'],
          grant_types: ['client_credentials'],
        },
      }),
    );
    const searches = {
      name: 'ücher',
      client_id: 'client-99',
      redirect_uri: 'https://books.example/cb',
      contact: 'OPS@books.example',
      software_id: 'books',
      grant_type: 'client_credentials',
      origin: 'import',
      status: 'pending',
      issued_before: '2026-06-01',
    };
    for (const [field, value] of Object.entries(searches)) {
      const { text } = await testConsole.get(`/clients?${new URLSearchParams({ [field]: value })}`);
      expect(listed(text), field).toEqual(['client-99']);
      expect(sentForm(text, '/clients')[field], field).toBe(value);
    }
    expect(listed((await testConsole.get('/clients?issued_after=2026-06-01')).text)).toHaveLength(25);
    const { text } = await testConsole.get('/clients?name=SHOP&match=start');
    expect(text).toMatch(/\/clients\?name=SHOP&amp;match=start&amp;after=/);
  });

  it('reads times as the audit pages do', async () => {
    const testConsole = await buildTestConsole();
    await withClients(testConsole, 2);
    const time = new Date(Number(later(0)) * 1_000).toISOString();
    for (const text of [time.slice(0, 19), `${time.slice(0, 19)}Z`, time.slice(0, 19).replace('T', ' ')])
      expect(
        listed((await testConsole.get(`/clients?${new URLSearchParams({ issued_after: text })}`)).text),
        text,
      ).toEqual(['client-1']);
    for (const text of ['2026-02-30', '1960-01-01', '2026-01-01T25:00'])
      for (const address of [`/clients?issued_after=${text}`, `/audit?from=${text}`])
        expect((await testConsole.get(address)).status, address).toBe(400);
  });

  it('leaves out expired clients, unless they are looked for by their identifier', async () => {
    const testConsole = await buildTestConsole();
    await testConsole.store.database.clients.create(
      aClient({ id: aClientId('client-1'), expiresAt: TEST_NOW }),
    );
    expect(listed((await testConsole.get('/clients')).text)).toEqual([]);
    const { text } = await testConsole.get('/clients?client_id=client-1');
    expect(listed(text)).toEqual(['client-1']);
    expect(readText(text)).toContain('expired');
  });

  it('shows what is wrong with a search beside the field', async () => {
    const testConsole = await buildTestConsole();
    const wrong = {
      name: 'x',
      client_id: ' ',
      origin: 'nowhere',
      status: 'asleep',
      issued_after: 'yesterday',
      issued_before: '2026-13-45',
      contact: 'c'.repeat(3_000),
    };
    for (const [field, value] of Object.entries(wrong)) {
      const { status, text } = await testConsole.get(`/clients?${new URLSearchParams({ [field]: value })}`);
      expect(status, field).toBe(400);
      expect(text, field).toContain(`id="${field}-error"`);
    }
    const { status } = await testConsole.get('/clients?name=ab&name=cd');
    expect(status).toBe(400);
    expect((await testConsole.get('/clients?after=nonsense')).status).toBe(200);
  });

  it('shows hostile names as they are, and stays small', async () => {
    const testConsole = await buildTestConsole();
    const names = [...Object.values(HOSTILE_TEXTS), 'x'.repeat(10_000)];
    for (const [index, name] of names.entries())
      await testConsole.store.database.clients.create(
        aClient({ id: aClientId(`client-${index}`), metadata: { client_name: name } }),
      );
    const { text } = await testConsole.get('/clients');
    expect(listed(text)).toHaveLength(names.length);
    expect(text).not.toMatch(/<script>|<img|<h1>A|[\u202e\u2066]/);
    expect(readText(text)).toContain('abc\\u{202e}exe.gpj\\u{2066}');
    expect(text.length).toBeLessThan(30_000);
  });
});
