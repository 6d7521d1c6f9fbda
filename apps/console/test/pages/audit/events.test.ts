import { operatorActor } from '@vestibule/clients';
import { changeClient } from '@vestibule/clients/management';
import { aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { shownPage } from '../../support/shown-page.js';
import { anAuditConsole } from './audit-console.js';

const targets = (text: string) => [...text.matchAll(/ access_token:(\S+)/g)].map(([, jti]) => jti);

describe('the list of events', () => {
  it('shows who did what to what, and links to the events of each', async () => {
    const { get, revoke, register } = await anAuditConsole();
    await register(['wiki']);
    await revoke('jti-1');
    const { text, links } = shownPage(await get('/audit'));
    expect(text).toMatch(/operator:jane token.revoked access_token:jti-1/);
    expect(text).toMatch(/client.registered client:wiki created: [0-9a-f]{12}/);
    expect(links['operator:jane']).toBe('/audit?actor=operator%3Ajane');
    const { text: ofJane } = shownPage(await get(links['operator:jane'] ?? ''));
    expect(ofJane).toContain('access_token:jti-1');
    expect(ofJane).not.toContain('client.registered');
  });

  it('filters by time, and by several members at once', async () => {
    const { get, revoke } = await anAuditConsole();
    await revoke('of-jane');
    await revoke('of-joe', 'joe');
    const found = async (query: string) => targets(shownPage(await get(`/audit?${query}`)).text);
    const today = new Date().toISOString().slice(0, 10);
    expect(await found(`from=${today}`)).toHaveLength(2);
    expect(await found('from=2026-01-01&until=2026-01-02')).toEqual([]);
    expect(await found('until=2020-02-29+12:30')).toEqual([]);
    expect(await found('actor=operator:joe&action=token.revoked')).toEqual(['of-joe']);
    expect(await found('actor=operator:joe&action=client.deleted')).toEqual([]);
    expect(await found('target=access_token:of-jane')).toEqual(['of-jane']);
  });

  it.each([
    ['from=yesterday', 'from'],
    ['from=2026-02-30', 'from'],
    ['until=2026-01-01T25:00', 'until'],
    ['from=2026-01-02&until=2026-01-02', 'until'],
  ])('says what is wrong with %s, and keeps what was typed', async (query, field) => {
    const { get } = await anAuditConsole();
    const response = await get(`/audit?actor=master&${query}`);
    expect(response.status).toBe(400);
    const { alerts, forms } = shownPage(response);
    expect(alerts).toHaveLength(1);
    expect(response.text).toContain(`id="${field}-error"`);
    expect(forms.at(-1)?.fields).toMatchObject({
      actor: 'master',
      ...Object.fromEntries(new URLSearchParams(query)),
    });
  });

  it('refuses a place that is not one of the list', async () => {
    const { get } = await anAuditConsole();
    for (const query of ['older=x', 'newer=1', 'older=1-x', `newer=${'9'.repeat(16)}-1`])
      expect((await get(`/audit?${query}`)).status).toBe(400);
  });

  it('goes back and forward in pages', async () => {
    const { get, revoke } = await anAuditConsole();
    const jtis = Array.from({ length: 60 }, (_, index) => `t${String(index).padStart(2, '0')}`);
    for (const jti of jtis) await revoke(jti);
    const pages = [];
    let address: string | undefined = '/audit?actor=operator:jane';
    while (address !== undefined) {
      const response = await get(address, 'operator');
      expect(response.text.length).toBeLessThan(30_000);
      pages.push(shownPage(response));
      address = pages.at(-1)?.links['Older'];
    }
    const seen = pages.map(({ text }) => targets(text));
    expect(seen.flat()).toEqual(jtis.toReversed());
    expect(pages[0]?.links['Newer']).toBeUndefined();
    const back = shownPage(await get(pages[2]?.links['Newer'] ?? ''));
    expect(targets(back.text)).toEqual(seen[1]);
    const first = shownPage(await get(back.links['Newer'] ?? ''));
    expect(targets(first.text)).toEqual(seen[0]);
    expect(first.links['Newer']).toBeUndefined();
    expect(targets(shownPage(await get(first.links['Older'] ?? '')).text)).toEqual(seen[1]);
  });

  it('holds with hostile texts', async () => {
    const { get, revoke } = await anAuditConsole();
    for (const text of Object.values(HOSTILE_TEXTS)) await revoke(text);
    const response = await get('/audit');
    const { elements, text } = shownPage(response);
    expect(elements.has('img')).toBe(false);
    expect(response.text).not.toMatch(/<script>global|\u202e|\u2066/);
    expect(response.text.length).toBeLessThan(60_000);
    expect(text).toContain('access_token:abc\\u{202e}exe.gpj\\u{2066}\\u{2069}\\u{200f} end');
    expect(text).toMatch(/Hash chain/);
  });
});

it('renders an event in the history of its client as in the list', async () => {
  const { get, register, deps } = await anAuditConsole();
  await register(['wiki']);
  await changeClient(deps.registration, {
    id: aClientId('wiki'),
    operator: operatorActor('jane'),
    change: ({ metadata }) => ({
      ...metadata,
      client_name: 'Wiki',
      client_uri: 'https://wiki.example/',
      policy_uri: 'https://wiki.example/policy',
      tos_uri: 'https://wiki.example/terms',
      software_id: 'wiki',
      software_version: '7',
      contacts: ['ops@wiki.example'],
    }),
  });
  const rowsOf = async (address: string) =>
    [...(await get(address)).text.matchAll(/<tr><td data-title="Time">.*?<\/tr>/gs)].map(([row]) =>
      row.replace(/<td data-title="Target">.*?<\/td>/s, ''),
    );
  const list = await rowsOf('/audit?target=client:wiki');
  expect(list).toHaveLength(2);
  for (const address of ['/clients/wiki', '/clients/wiki/history'])
    expect(await rowsOf(address)).toEqual(list);
  expect(list[0]).toMatch(/contacts<\/code>: not recorded/);
  expect(list[0]).toMatch(/<a href="\/audit\/events\/\d+">\d+ more<\/a>/);
});

describe('the page of an event', () => {
  it('shows everything about it', async () => {
    const { get, register, store } = await anAuditConsole();
    await register(['wiki']);
    await store.database.chainAuditEvents();
    const [id] = /\/audit\/events\/\d+/.exec((await get('/audit')).text) ?? [];
    const { text } = shownPage(await get(id ?? ''));
    expect(text).toMatch(/Actor master|Actor service/);
    expect(text).toMatch(
      /Target client:wiki State created: .*Digest after [0-9a-f]{64} Position in the chain 1 Hash [0-9a-f]{64}/,
    );
  });

  it('shows the members that a change made different, and of data only that they changed', async () => {
    const { get, register, deps } = await anAuditConsole();
    await register(['wiki']);
    await changeClient(deps.registration, {
      id: aClientId('wiki'),
      operator: operatorActor('jane'),
      change: ({ metadata }) => ({ ...metadata, client_name: '<b>Wiki</b>', data: { tier: 'hidden value' } }),
    });
    const list = shownPage(await get('/audit?action=client.updated'));
    expect(list.text).toMatch(/operator:jane client.updated client:wiki .*client_name : none → <b>Wiki<\/b>/);
    const [address = ''] = Object.values(list.links).filter((each) => each.startsWith('/audit/events/'));
    const response = await get(address);
    const { text } = shownPage(response);
    expect(text).toMatch(/Members that differ Member Before After .*client_name none <b>Wiki<\/b>/);
    expect(text).toContain('data not recorded not recorded');
    expect(response.text).not.toContain('hidden value');
  });

  it('is not found for other identifiers', async () => {
    const { get } = await anAuditConsole();
    for (const id of ['0', '9', 'x', '1e3', '9'.repeat(30)])
      expect((await get(`/audit/events/${id}`)).status).toBe(404);
  });
});
