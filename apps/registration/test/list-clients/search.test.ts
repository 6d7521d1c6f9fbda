import type { Client } from '@vestibule/clients';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTestApp } from '../support/build-test-app.js';
import { badRequest } from '../support/calls.js';
import { follow, idsOf, list, nextOf } from '../support/lists.js';

const REGISTRY: Readonly<Record<string, object>> = {
  a: {
    client_name: 'Acme Shop',
    redirect_uris: ['https://shop.example/cb', 'https://shop.example/other?x=1&y=ü'],
    contacts: ['Ops@Example.org', 'https://shop.example/help'],
  },
  b: {
    client_name: 'ACME 100%_shop\\ "quoted"',
    'client_name#de': 'Bäckerei LADEN',
    contacts: ['ops@example.org'],
  },
  c: {
    client_name: 'Магазин «Ёлка»',
    'client_name#tr': 'İSTANBUL Ispartalı',
    redirect_uris: ['HTTPS://SHOP.EXAMPLE/cb'],
  },
  d: { client_name: 'فروشگاه می‌خواهم', contacts: ['تماس', 'ÖFFENTLICH@example.org'] },
  e: { client_name: '🚀銀行 ΟΔΟΣ Đặng', client_uri: 'https://acme.example/shop' },
  f: { software_id: 'acme shop', redirect_uris: [], contacts: [] },
};

async function aRegistry() {
  const test = await buildTestApp();
  for (const [id, metadata] of Object.entries(REGISTRY))
    await test.storeClient(id, { metadata: metadata as Client['metadata'] });
  return test;
}

const find = async (app: Parameters<typeof list>[0], query: Readonly<Record<string, string>>) => {
  const text = `?${new URLSearchParams(query)}`;
  const ids = idsOf(await list(app, text));
  expect((await follow(app, `${text}&limit=1`)).flat(), text).toEqual(ids);
  return ids.join('');
};

it('finds clients by any part of their name, in any case and in every language of the name', async () => {
  const { app } = await aRegistry();
  const cases: Readonly<Record<string, string>> = {
    shop: 'ab',
    SHOP: 'ab',
    'cme s': 'a',
    'e ': 'ab',
    'p\\': 'b',
    '\\ "': 'b',
    '0%': 'b',
    '%_': 'b',
    __: '',
    '%%': '',
    '\\\\': '',
    '"quoted"': 'b',
    '", "': '',
    BÄCK: 'b',
    laden: 'b',
    магазин: 'c',
    ёлка: 'c',
    istanbul: 'c',
    ISPARTALI: 'c',
    ıspartalı: 'c',
    فروشگاه: 'd',
    می‌خ: 'd',
    میخ: '',
    '🚀銀': 'e',
    銀行: 'e',
    οδος: 'e',
    οδοσ: 'e',
    ĐẶNG: 'e',
    'acme shop': 'a',
    client_name: '',
    [`acme shop${'x'.repeat(191)}`]: '',
  };
  for (const [part, ids] of Object.entries(cases))
    expect(await find(app, { client_name_contains: part }), part).toBe(ids);
});

it('finds clients by a redirect URI, character by character', async () => {
  const { app } = await aRegistry();
  const cases: Readonly<Record<string, string>> = {
    'https://shop.example/cb': 'a',
    'HTTPS://SHOP.EXAMPLE/cb': 'c',
    'https://shop.example/other?x=1&y=ü': 'a',
    'https://shop.example/': '',
    'https://shop.example/cb"]': '',
    'https://%.example/cb': '',
  };
  for (const [uri, ids] of Object.entries(cases))
    expect(await find(app, { redirect_uri: uri }), uri).toBe(ids);
});

it('finds clients by a whole contact, in any case', async () => {
  const { app } = await aRegistry();
  const cases: Readonly<Record<string, string>> = {
    'ops@example.org': 'ab',
    'OPS@EXAMPLE.ORG': 'ab',
    'öffentlich@EXAMPLE.org': 'd',
    تماس: 'd',
    'https://shop.example/help': 'a',
    'ops@': '',
    '%@example.org': '',
    'ops@example.org", "x': '',
    '\\u006fps@example.org': '',
  };
  for (const [contact, ids] of Object.entries(cases)) expect(await find(app, { contact }), contact).toBe(ids);
});

it('narrows by all of them at once, and with the other filters', async () => {
  const { app } = await aRegistry();
  const contact = 'ops@example.org';
  expect(await find(app, { client_name_contains: 'shop', contact })).toBe('ab');
  expect(await find(app, { client_name_contains: 'shop', contact, client_name: 'acme 1' })).toBe('b');
  const redirect_uri = 'https://shop.example/cb';
  expect(await find(app, { client_name_contains: 'shop', contact, redirect_uri, status: 'active' })).toBe(
    'a',
  );
  expect(await find(app, { client_name_contains: 'laden', redirect_uri })).toBe('');
  expect(await find(app, { client_name_contains: 'shop', origin: 'import' })).toBe('');
});

it('accepts a cursor for the same search and for no other', async () => {
  const { app } = await aRegistry();
  const next = nextOf(await list(app, '?limit=1&client_name_contains=shop&contact=ops@example.org')) ?? '';
  expect(idsOf(await list(app, next))).toEqual(['b']);
  const refused = badRequest('invalid_request', 'cursor: does not belong to this list');
  for (const [from, to] of [
    ['contains=shop', 'contains=Shop'],
    ['contact=ops', 'contact=Ops'],
    ['contact=', 'redirect_uri='],
    ['client_name_contains=', 'client_name='],
  ] as const) {
    expect(next).toContain(from);
    expect(await list(app, next.replace(from, to)), to).toEqual(refused);
  }
});

it('refuses a text that is too short or too long, with the parameter and the permitted length', async () => {
  const { app } = await aRegistry();
  const refusals: readonly (readonly [string, string, string])[] = [
    ['client_name_contains', '', 'must have at least 2 characters'],
    ['client_name_contains', 'a', 'must have at least 2 characters'],
    ['client_name_contains', '🚀', 'must have at least 2 characters'],
    ['client_name_contains', 'x'.repeat(201), 'must have at most 200 characters'],
    ['redirect_uri', '', 'must have at least 1 character'],
    ['redirect_uri', 'x'.repeat(2_049), 'must have at most 2048 characters'],
    ['contact', '', 'must have at least 1 character'],
    ['contact', 'x'.repeat(2_049), 'must have at most 2048 characters'],
  ];
  for (const [name, value, rule] of refusals)
    expect(await list(app, `?${name}=${encodeURIComponent(value)}`), name).toEqual(
      badRequest('invalid_request', `${name}: ${rule}`),
    );
  expect(idsOf(await list(app, `?client_name_contains=${'🚀'.repeat(200)}`))).toEqual([]);
});

const ONE_LETTER: Readonly<Record<string, string>> = { İ: 'i', ı: 'i', ς: 'σ' };
const LETTERS = /[A-ZÀ-ſƠƯͰ-ӿẠ-ỹ]/g;

/** Case folding character by character, as in the database. */
const folded = (text: string) =>
  text.replace(LETTERS, (letter) => {
    const lower = ONE_LETTER[letter] ?? letter.toLowerCase();
    return [...lower].length === 1 ? lower : letter;
  });

/** Few different characters, so that parts match; among them wildcards of SQL. */
const TEXT = fc
  .array(fc.constantFrom(...'aAbB %_\\"\'[]{}.*ÄäßİiıIΣσςЁёĐđ行🚀ی\u200cÿŸ'), { maxLength: 12 })
  .map((characters) => characters.join(''));
const ANY_TEXT = fc
  .oneof(TEXT, fc.string({ unit: 'grapheme', maxLength: 12 }))
  .filter((text) => !text.includes('\0'));

it('finds what a search through the same names in memory finds', async () => {
  const { app, storeClient } = await buildTestApp();
  const names = fc.sample(
    fc.array(
      ANY_TEXT.filter((text) => text !== ''),
      { maxLength: 3 },
    ),
    { numRuns: 300, seed: 19 },
  );
  const clients = names.map((each, index) => ({ id: String(index).padStart(3, '0'), names: each }));
  for (const {
    id,
    names: [name, ...localized],
  } of clients) {
    const members = localized.map((text, index) => [`client_name#x-${index}`, text]);
    const metadata = { ...(name !== undefined && { client_name: name }), ...Object.fromEntries(members) };
    await storeClient(id, { metadata });
  }
  const parts = fc
    .oneof(
      ANY_TEXT,
      fc.constantFrom(...names.flat()).chain((name) => {
        const characters = [...name];
        return fc.nat(characters.length).map((start) => characters.slice(start, start + 4).join(''));
      }),
    )
    .filter((text) => [...text].length >= 2);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(parts, async (part) => {
      const expected = clients.filter((client) =>
        client.names.some((name) => folded(name).includes(folded(part))),
      );
      found += expected.length;
      expect(idsOf(await list(app, `?client_name_contains=${encodeURIComponent(part)}`))).toEqual(
        expected.map(({ id }) => id),
      );
    }),
    { numRuns: 300, seed: 20 },
  );
  expect(found).toBeGreaterThan(100);
});
