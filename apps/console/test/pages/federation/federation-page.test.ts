import { type EpochSeconds, epochSeconds, nowSeconds } from '@vestibule/protocol';
import { aClient, aClientId } from '@vestibule/testkit';
import { expect, it } from 'vitest';
import { aFederatedConsole, textOf } from './federation-fixture.js';

const aMember = (number: number, now: EpochSeconds, clientName = `Member ${number}`) => {
  const name = `rp${String(number).padStart(3, '0')}`;
  return aClient({
    id: aClientId(name),
    metadata: { client_name: clientName },
    federation: {
      entityId: `https://${name}.example`,
      trustAnchor: 'https://anchor.example',
      superior: 'https://low.example',
      chainExpiresAt: epochSeconds(now + (number === 1 ? -60 : number * 3_600)),
      statementIssuedAt: now,
      isAddressed: true,
    },
  });
};

it('lists members in pages, with the ends of their chains', async () => {
  const { get, store } = await aFederatedConsole();
  const now = nowSeconds(store.clock);
  for (let number = 1; number <= 30; number += 1) await store.database.clients.create(aMember(number, now));
  const first = await get('/federation');
  expect(first.status).toBe(200);
  expect(first.text).toContain('href="/clients/rp025"');
  expect(first.text).not.toContain('rp026');
  const ended = new Date((now - 60) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  expect(textOf(first.text)).toContain(`${ended} ended`);
  expect(textOf(first.text)).toContain('within a day');
  const next = /href="(\/federation\?after=[^"]+)"/.exec(first.text)?.[1] ?? '';
  const second = await get(next);
  expect(second.text).toContain('href="/clients/rp026"');
  expect(second.text).toContain('href="/clients/rp030"');
  expect(second.text).not.toContain('href="/clients/rp025"');
  expect(second.text).not.toContain('?after=');
  expect(first.text.length).toBeLessThan(30_000);
});

it('shows the trust anchors with the state of their keys, and the conditions for members', async () => {
  const { get, federation } = await aFederatedConsole({
    FEDERATION_MAX_PATH_LENGTH: '4',
    FEDERATION_REQUIRED_TRUST_MARKS: 'https://marks.example/a|https://marks.example/b',
  });
  const shown = textOf((await get('/federation')).text);
  expect(shown).toContain(`${federation.anchor.id}${federation.anchor.key.kid}ECES256usable`);
  expect(shown).toContain('4https://marks.example/a or https://marks.example/b');
});

it('fills in the form from a link, and shows wrong positions as such', async () => {
  const { get } = await aFederatedConsole();
  expect((await get('/federation?entity=https%3A%2F%2Frp.example')).text).toContain(
    'name="entity" value="https://rp.example"',
  );
  for (const after of ['x', 'https://rp.example/%3Cb%3E?x']) {
    const { status, text } = await get(`/federation?after=${after}`);
    expect([after, status]).toEqual([after, 400]);
    expect(text).toContain('There is no such position in the list');
  }
  expect((await get('/federation?after=%00')).status).toBe(400);
});

it('shows hostile names of members as text', async () => {
  const { get, store } = await aFederatedConsole();
  const name = `\u202e<script>alert(1)</script>${'x'.repeat(10_000)}\n`;
  await store.database.clients.create(aMember(1, nowSeconds(store.clock), name));
  const { text } = await get('/federation');
  expect(text).not.toContain('<script>alert');
  expect(text).not.toContain('\u202e');
  expect(text.length).toBeLessThan(30_000);
});
