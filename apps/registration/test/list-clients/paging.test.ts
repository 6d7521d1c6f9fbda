import type { Client } from '@vestibule/clients';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { badRequest, LIST_HEADERS, send } from '../support/calls.js';
import { follow, idsOf, list, nextOf } from '../support/lists.js';

const BAD_CURSOR = badRequest('invalid_request', 'cursor: does not belong to this list');

/** Clients that differ in every filter of lists. */
async function aRegistry() {
  const test = await buildTestApp();
  const now = nowSeconds(test.clock);
  const metadata = (members: object) =>
    ({ grant_types: [], response_types: [], ...members }) as unknown as Client['metadata'];
  const clients: readonly (readonly [string, Partial<Client>])[] = [
    ['a', { metadata: metadata({ client_name: 'Shop' }), issuedAt: now }],
    ['b', { metadata: metadata({ client_name: 'shop 2', software_id: 'soft' }), issuedAt: now }],
    [
      'c',
      {
        metadata: metadata({ client_name: 'SHOP_%', grant_types: ['password', 'implicit'] }),
        issuedAt: epochSeconds(now + 10),
      },
    ],
    [
      'd',
      {
        metadata: metadata({ client_name: 'Bäckerei', software_id: 'Soft' }),
        origin: 'import',
        issuedAt: epochSeconds(now + 20),
      },
    ],
    [
      'e',
      {
        metadata: metadata({ software_id: `${'x'.repeat(250)}1` }),
        status: 'pending',
        issuedAt: epochSeconds(now + 30),
      },
    ],
    [
      'f',
      {
        metadata: metadata({ software_id: `${'x'.repeat(250)}2`, client_name: '\u{10ffff}z' }),
        origin: 'federation_explicit',
        issuedAt: epochSeconds(now + 30),
      },
    ],
    ['gone', { expiresAt: epochSeconds(now) }],
  ];
  for (const [id, deviation] of clients) await test.storeClient(id, deviation);
  return { ...test, now };
}

it('returns every client once over pages of any size, with a link to the next one while there is one', async () => {
  const { app } = await aRegistry();
  for (const limit of [1, 2, 3, 5, 6, 7, 1000]) {
    const pages = await follow(app, `?limit=${limit}`);
    expect(pages.flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(pages).toHaveLength(Math.ceil(6 / limit));
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  }
});

it('continues after a client that was deleted in the meantime, and shows new ones', async () => {
  const { app, storeClient, now } = await aRegistry();
  const next = nextOf(await list(app, '?limit=3'));
  await send(app, 'DELETE /clients/c', { token: MASTER });
  await storeClient('late', { issuedAt: epochSeconds(now + 40) });
  expect(idsOf(await list(app, next ?? ''))).toEqual(['d', 'e', 'f']);
  expect(idsOf(await list(app, (next ?? '').replace('limit=3&', '')))).toEqual(['d', 'e', 'f', 'late']);
});

it('narrows the list by each filter and by several at once', async () => {
  const { app, now } = await aRegistry();
  const cases: Readonly<Record<string, string>> = {
    'client_name=shop': 'abc',
    'client_name=SHO': 'abc',
    'client_name=shop%20': 'b',
    'client_name=shop_': 'c',
    'client_name=shop_%25': 'c',
    'client_name=%25': '',
    'client_name=b%C3%A4': 'd',
    'client_name=B%C3%84': '',
    'client_name=%F4%8F%BF%BF': 'f',
    'client_name=%ED%9F%BF': '',
    'grant_type=password': 'c',
    'grant_type=implicit': 'c',
    'grant_type=pass': '',
    'origin=import': 'd',
    'origin=registration': 'abce',
    'origin=federation_explicit': 'f',
    'origin=open_registration': '',
    'software_id=soft': 'b',
    'software_id=Soft': 'd',
    'software_id=sof': '',
    [`software_id=${'x'.repeat(250)}1`]: 'e',
    'status=pending': 'e',
    'status=active': 'abcdf',
    [`issued_after=${now}`]: 'cdef',
    [`issued_after=${now + 9}`]: 'cdef',
    [`issued_after=${now + 10}`]: 'def',
    [`issued_before=${now + 10}`]: 'ab',
    [`issued_before=${now}`]: '',
    [`issued_after=${now}&issued_before=${now + 30}&client_name=s`]: 'c',
    'client_name=shop&grant_type=password&status=active&origin=registration': 'c',
    'client_name=shop&software_id=Soft': '',
  };
  for (const [query, ids] of Object.entries(cases)) {
    expect(idsOf(await list(app, `?${query}`)).join(''), query).toBe(ids);
    expect((await follow(app, `?limit=1&${query}`)).flat().join(''), query).toBe(ids);
  }
});

it('accepts a cursor for the list that returned it and for no other', async () => {
  const { app, anotherInstance } = await aRegistry();
  const next = nextOf(await list(app, '?limit=1&client_name=shop')) ?? '';
  const cursor = new URLSearchParams(next).get('cursor') ?? '';
  const { app: other } = await anotherInstance();
  expect(idsOf(await list(other, next))).toEqual(['b']);
  expect(idsOf(await list(other, `?cursor=${cursor}&client_name=shop`))).toEqual(['b', 'c']);
  for (const filter of ['', '&client_name=Shop', '&client_name=shop&status=active', '&client_name=sho'])
    expect(await list(app, `?limit=1&cursor=${cursor}${filter}`), filter).toEqual(BAD_CURSOR);
});

// In another server, a forged page token led to SQL injection.
it('accepts only its own cursors', async () => {
  const { app, deps } = await aRegistry();
  const cursor = new URLSearchParams(nextOf(await list(app, '?limit=1'))).get('cursor') ?? '';
  const place = { table: 'client', column: 'secret_sealed', row: 'a' };
  const foreign = await deps.encryptor.encrypt('[0,"a"]', place);
  const forged = [
    foreign,
    `${cursor}x`,
    cursor.slice(0, -1),
    cursor.toUpperCase(),
    `${cursor}.`,
    cursor.replace('v1', 'v2'),
  ];
  const parts = cursor.split('.');
  for (const index of parts.keys())
    forged.push(parts.with(index, '').join('.'), parts.with(index, 'AAAA').join('.'));
  for (const text of [
    ...forged,
    "' OR 1=1 --",
    '[0,"a"]',
    'eyJhIjoxfQ',
    '%00'.slice(3),
    'x'.repeat(4096),
  ].filter(Boolean))
    expect(await list(app, `?limit=1&cursor=${encodeURIComponent(text)}`), text).toEqual(BAD_CURSOR);
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }), async (text) => {
      const response = await list(app, `?cursor=${encodeURIComponent(text)}`);
      expect(response.status).toBe(400);
    }),
    { numRuns: 60 },
  );
});

const HOSTILE = [
  '',
  "'",
  "' OR '1'='1",
  "'; DROP TABLE client; --",
  '$1',
  '\\',
  '%',
  '_',
  '"',
  '{}',
  '["a"]',
  '{"$gt":""}',
  '\u0001',
  '\u007f',
  '\ud7ff',
  '\u{10ffff}',
  '\u202e',
  '-1',
  '0',
  '1e3',
  '0x10',
  '1.5',
  ' 1',
  'NaN',
  'Infinity',
  '9999999999',
  '99999999999999999999',
  'null',
  'true',
  '__proto__',
  'constructor',
  'x'.repeat(201),
  'x'.repeat(2_049),
  'x'.repeat(5_000),
];

it('responds with 200 or 400 to any value of any parameter, and with 400 to any other parameter', async () => {
  const { app } = await aRegistry();
  const names = [
    'limit',
    'cursor',
    'client_name',
    'client_name_contains',
    'redirect_uri',
    'contact',
    'grant_type',
    'origin',
    'software_id',
    'issued_after',
    'issued_before',
    'status',
  ];
  for (const name of names)
    for (const value of HOSTILE) {
      const response = await list(app, `?${name}=${encodeURIComponent(value)}`);
      expect([200, 400], `${name}=${value}: ${response.body}`).toContain(response.status);
      if (response.status === 400) expect(response.body.length).toBeLessThan(200);
    }
  for (const query of [
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=01',
    'limit=',
    'limit=1&limit=1',
    'issued_after=1.5',
    'status=deleted',
    'origin=x',
    'client_name=%ff',
    'client_name=a%00',
    'client_name_contains=ab%00',
    'client_name_contains=%ed%a0%80%ed%a0%80',
    'client_name_contains=ab&client_name_contains=ab',
    'redirect_uri=a%00',
    'redirect_uri=a&redirect_uri=b',
    'contact=a%00',
    'contact=a&contact=a',
    'client_name',
  ])
    expect((await list(app, `?${query}`)).status, query).toBe(400);
  for (const query of ['Limit=1', 'page=1', 'client_nam=x', '__proto__=x', 'constructor=x', 'toString=1'])
    expect(await list(app, `?${query}`), query).toEqual(
      badRequest(
        'invalid_request',
        'The query has an unknown parameter (supported: limit, cursor, client_name, client_name_contains, redirect_uri, contact, grant_type, origin, software_id, issued_after, issued_before, status).',
      ),
    );
});

it('writes one client per line on request, and sends Vary', async () => {
  const { app } = await aRegistry();
  const array = await list(app, '');
  expect(array.headers).toEqual(LIST_HEADERS);
  const lines = await send(app, 'GET /clients', {
    token: MASTER,
    headers: { accept: 'application/x-ndjson' },
  });
  expect(lines).toMatchObject({
    status: 200,
    headers: { ...LIST_HEADERS, 'content-type': 'application/x-ndjson' },
  });
  expect(lines.body.endsWith('}\n')).toBe(true);
  expect(
    lines.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(JSON.parse(array.body));
  const headers = { accept: 'application/x-ndjson' };
  const page = await send(app, 'GET /clients?limit=2', { token: MASTER, headers });
  expect(page.body.match(/\n/g)).toHaveLength(2);
  expect(nextOf(page)).toBeDefined();
  const none = await send(app, 'GET /clients?status=pending&origin=import', { token: MASTER, headers });
  expect(none).toMatchObject({ status: 200, body: '' });
});

it('responds to any Accept', async () => {
  const { app } = await aRegistry();
  for (const accept of HOSTILE.filter((text) => /^[ -~]*$/.test(text)))
    expect((await send(app, 'GET /clients', { token: MASTER, headers: { accept } })).status).toBe(200);
});
