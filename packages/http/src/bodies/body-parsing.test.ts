import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SAMPLE_MEDIA_TYPES, sampleServer } from '../testing/index.js';

const sample = sampleServer();
const { server, seen } = sample;
const BODIES = { '/json': '{"a":"b"}', '/form': 'token=x', '/jose': 'a.b.c', '/text': 'a.b.c' } as const;
const URLS = ['/json', '/form', '/jose', '/text'] as const;
type Url = (typeof URLS)[number];

/** Every member of the prototype of all objects. */
function prototypeMembers() {
  return Reflect.ownKeys(Object.prototype).map((key) => [
    key,
    Object.getOwnPropertyDescriptor(Object.prototype, key),
  ]);
}

const MEMBERS = prototypeMembers();

beforeAll(async () => void (await server.ready()));
// No body may add or change a member.
afterEach(() => expect(prototypeMembers()).toStrictEqual(MEMBERS));
afterAll(() => server.close());

async function post(
  url: Url | '/closed',
  payload: string | Buffer,
  contentType: string | undefined = url === '/closed' ? 'application/json' : SAMPLE_MEDIA_TYPES[url],
) {
  const before = seen.length;
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const response = await server.inject({ method: 'POST', url, headers, payload: Buffer.from(payload) });
  return { response, isHandled: seen.length > before };
}

async function expectRefused(url: Url, payload: string | Buffer, contentType?: string) {
  const { response, isHandled } = await post(url, payload, contentType);
  expect({ url, payload: payload.slice(0, 40), status: response.statusCode, isHandled }).toEqual({
    url,
    payload: payload.slice(0, 40),
    status: 400,
    isHandled: false,
  });
  expect(response.headers['content-type']).toBe('application/json;charset=UTF-8');
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['pragma']).toBe('no-cache');
  expect(response.json()).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
}

/** Spellings of a media type: accepted ones, and ambiguous ones. */
const accepted = (type: string) => [
  type,
  type.toUpperCase(),
  `${type};charset=utf-8`,
  `${type}; charset=UTF-8`,
  `${type} ; charset="utf-8"`,
  `${type};CHARSET=utf-8`,
  `${type};`,
  `${type}; `,
  `${type} ;;`,
  `${type}; charset=utf-8;`,
];
const refused = (type: string) => [
  `${type};;charset=utf-8`,
  `${type},`,
  `${type};;;;;`,
  `${type}; charset=utf-8;charset=utf-8`,
  `${type}; charset=utf-16`,
  `${type}; charset=utf-7`,
  `${type}; charset=iso-8859-1`,
  `${type}; charset=utf8`,
  `${type}; charset='utf-8'`,
  `${type}; charset="utf-8`,
  `${type}; charset=`,
  `${type}; charset`,
  `${type}; charset =utf-8`,
  `${type}; charset= utf-8`,
  `${type}; charset=utf-8; charset=utf-16`,
  `${type}; charset=utf-8; charset=utf-8`,
  `${type}; charset=utf-8, text/plain`,
  `${type}; charset=utf-8; boundary=x`,
  `${type}; boundary=x; charset=utf-8`,
  `${type}; version=1`,
  `${type}, ${type}`,
  `${type},text/html`,
  `text/html, ${type}`,
  `${type} ${type}`,
  `${type}\t`,
  `${type}\t;charset=utf-8`,
  `${type}\tx`,
  `${type};\tcharset=utf-8`,
  `\t${type}`,
  ` ${type}x`,
  `${type}+json`,
  `${type}+xml`,
  `${type}x`,
  `x${type}`,
  `${type}/`,
  `/${type}`,
  `"${type}"`,
  `${type}%3bcharset=utf-8`,
  `${type}\u00a0`,
  type.replace('/', ''),
  type.replace('/', '//'),
  type.replace('/', ' / '),
  type.replace('/', '%2f'),
  type.replace('/', '\\'),
  type.split('/')[0] ?? '',
  `${type.split('/')[0]}/*`,
  `${type.split('/')[0]}/`,
];
const foreign = [
  '',
  ' ',
  '*/*',
  'application/*',
  'text/json',
  'text/html',
  'text/xml',
  'application/x-json',
  'application/ld+json',
  'application/problem+json',
  'application/vnd.api+json',
  'application/jwt',
  'application/octet-stream',
  'multipart/form-data; boundary=x',
  'undefined',
  'null',
  '__proto__',
  'constructor/prototype',
];

describe('Content-Type', () => {
  it.each(URLS)(
    'accepts at %s exactly its media type, without parameters or with charset=utf-8, and with empty parameters',
    async (url) => {
      for (const contentType of accepted(SAMPLE_MEDIA_TYPES[url])) {
        const { response, isHandled } = await post(url, BODIES[url], contentType);
        expect([contentType, response.statusCode, isHandled]).toEqual([contentType, 200, true]);
      }
    },
  );

  it.each(URLS)('refuses at %s every other spelling before the handler', async (url) => {
    const others = Object.values(SAMPLE_MEDIA_TYPES).filter((type) => type !== SAMPLE_MEDIA_TYPES[url]);
    const spellings = [...refused(SAMPLE_MEDIA_TYPES[url]), ...foreign, ...others];
    expect(spellings.length).toBeGreaterThanOrEqual(60);
    // Node trims blanks around a header, so the bare type with blanks is the type.
    for (const contentType of spellings) await expectRefused(url, BODIES[url], contentType);
  });

  it.each(URLS)('refuses at %s a body without a media type', async (url) => {
    const before = seen.length;
    const response = await server.inject({ method: 'POST', url, payload: Buffer.from(BODIES[url]) });
    expect([response.statusCode, seen.length]).toEqual([400, before]);
  });

  it.each(URLS)(
    'refuses at %s a body with a Content-Encoding, which another parser would decode',
    async (url) => {
      const sent = async (coding: string) => {
        const headers = { 'content-type': SAMPLE_MEDIA_TYPES[url], 'content-encoding': coding };
        const before = seen.length;
        const { statusCode } = await server.inject({ method: 'POST', url, headers, payload: BODIES[url] });
        return [coding, statusCode, seen.length - before];
      };
      for (const coding of ['gzip', 'br', 'identity, gzip', 'GZIP', 'x'])
        expect(await sent(coding)).toEqual([coding, 400, 0]);
      expect(await sent('identity')).toEqual(['identity', 200, 1]);
    },
  );

  it.each(URLS)('refuses at %s an empty body and a missing one', async (url) => {
    await expectRefused(url, '');
    const response = await server.inject({ method: 'POST', url });
    expect(response.statusCode).toBe(400);
  });
});

describe('JSON bodies', () => {
  it('states that the body must be an object if it is another JSON value', async () => {
    for (const body of ['[]', 'null', '"a"', '1', 'true', '[{"a":"b"}]']) {
      const { response, isHandled } = await post('/json', body);
      expect([body, response.statusCode, isHandled]).toEqual([body, 400, false]);
      expect(response.json().error_description).toBe('The body must be a JSON object');
    }
  });

  it('refuses integers that would lose precision', async () => {
    for (const number of ['9007199254740993', '-9007199254740993', '1e400']) {
      const { response } = await post('/json', `{"a":{"b":[${number}]}}`);
      expect(response.statusCode, number).toBe(400);
      expect(response.json().error_description).toContain('beyond 2^53 and must be written as a string');
    }
    const { response } = await post('/json', '{"a":[9007199254740991]}');
    expect(response.body).toBe('{"a":[9007199254740991]}');
  });
});

describe('bytes', () => {
  it.each(URLS)('refuses at %s bodies that are not UTF-8, contain NUL or are too large', async (url) => {
    const body = Buffer.from(BODIES[url]);
    const inside = (bytes: number[]) =>
      Buffer.concat([body.subarray(0, -2), Buffer.from(bytes), body.subarray(-2)]);
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0]]) {
      await expectRefused(url, inside(bytes));
    }
    await expectRefused(url, Buffer.alloc(65_537, 'a'));
  });

  it('refuses bodies in UTF-16 and with a byte order mark', async () => {
    await expectRefused('/json', Buffer.from('{"a":"b"}', 'utf16le'));
    await expectRefused('/json', '\ufeff{"a":"b"}');
  });

  it('keeps non-ASCII characters unchanged', async () => {
    const { response } = await post('/json', '{"a":"é😀\ufffd"}');
    expect(response.json()).toEqual({ a: 'é😀\ufffd' });
    const form = await post('/form', 'token=%C3%A9+%F0%9F%98%80');
    expect(form.response.json()).toEqual({ token: 'é 😀' });
    const lines = await post('/json', '{"a":"first\\n\\tsecond"}');
    expect(lines.response.json()).toEqual({ a: 'first\n\tsecond' });
  });

  it('refuses a form that is not ASCII before percent-decoding', async () => {
    await expectRefused('/form', 'token=a&x=é');
    await expectRefused('/form', 'token=a&x=\ufffd');
  });
});

describe('JSON', () => {
  it('refuses JSON values that are not objects where an object is required', async () => {
    for (const text of ['null', '1', '"a"', '[1]', 'true', '[]']) await expectRefused('/json', text);
  });

  it('refuses invalid JSON', async () => {
    for (const text of [
      '{',
      '{"a":1,}',
      "{'a':1}",
      '{"a":1}}',
      'a',
      '{"a":NaN}',
      '// a\n{}',
      '{"a":01}',
      '{"a" 1}',
    ]) {
      await expectRefused('/json', text);
    }
  });

  it('refuses repeated members, reserved members, deep nesting, and strings that a store would not keep', async () => {
    const texts = [
      '{"a":1,"a":1}',
      '{"a":{"b":1,"\\u0062":2}}',
      '{"__proto__":{"polluted":1}}',
      '{"\\u005f\\u005fproto__":{"polluted":1}}',
      '{"data":{"constructor":{"prototype":{"polluted":1}}}}',
      `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
      '{"a":"\\u0000"}',
      '{"\\u0000":1}',
      '{"a":"\\ud800"}',
      '{"a":1e400}',
    ];
    for (const text of texts) await expectRefused('/json', text);
    expect('polluted' in {}).toBe(false);
  });

  it('accepts a member named constructor', async () => {
    const { response } = await post('/json', '{"constructor":"acme"}');
    expect(response.json()).toEqual({ constructor: 'acme' });
  });
});

describe('form', () => {
  it('refuses a repeated parameter, with the same or another value', async () => {
    for (const text of ['token=a&token=a', 'token=a&token=b', 'token=a&hint=x&hint=y']) {
      await expectRefused('/form', text);
    }
  });

  it('never parses brackets as objects', async () => {
    await expectRefused('/form', 'token[not]=');
    await expectRefused('/form', 'token%5Bnot%5D=x&token[in][]=y');
    await expectRefused('/form', '{"token":{"not":""}}', 'application/json');
  });

  it('accepts control characters in a token, which is then unknown', async () => {
    const { response } = await post('/form', 'token=a%01%0Ab');
    expect(response.json()).toEqual({ token: 'a\x01\nb' });
  });
});

it('names missing members and never quotes the request', async () => {
  const missing = await post('/form', 'x=SENSITIVE');
  expect(missing.response.json().error_description).toBe('token: is missing');
  const empty = await post('/form', 'token=&SENSITIVE=SENSITIVE');
  // A parameter without a value counts as left out (RFC 6749 section 3.2).
  expect(empty.response.json().error_description).toBe('token: is missing');
  const unknown = await post('/closed', '{"SENSITIVE":1}', 'application/json');
  expect(unknown.response.json().error_description).toBe('The body contains an unknown member');
});
