import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from './redis-address.js';

describe('parseRedisUrl', () => {
  it.each([
    ['redis://cache', { kind: 'standalone', tls: false, node: { host: 'cache', port: 6379 }, database: 0 }],
    [
      'redis://127.0.0.1:6380/',
      { kind: 'standalone', tls: false, node: { host: '127.0.0.1', port: 6380 }, database: 0 },
    ],
    [
      'rediss://app:p%40ss%2Fword@cache.example:6390/7',
      {
        kind: 'standalone',
        tls: true,
        credentials: { username: 'app', password: 'p@ss/word' },
        node: { host: 'cache.example', port: 6390 },
        database: 7,
      },
    ],
    [
      'redis://:se:cret@[::1]:6379',
      {
        kind: 'standalone',
        tls: false,
        credentials: { password: 'se:cret' },
        node: { host: '::1', port: 6379 },
        database: 0,
      },
    ],
    [
      'redis+sentinel://user:pass@host1:26380,host2/main-1.cache/3',
      {
        kind: 'sentinel',
        tls: false,
        credentials: { username: 'user', password: 'pass' },
        sentinels: [
          { host: 'host1', port: 26_380 },
          { host: 'host2', port: 26_379 },
        ],
        master: 'main-1.cache',
        database: 3,
      },
    ],
    [
      'rediss+sentinel://s_1/main',
      {
        kind: 'sentinel',
        tls: true,
        sentinels: [{ host: 's_1', port: 26_379 }],
        master: 'main',
        database: 0,
      },
    ],
    [
      'redis+cluster://:pass@host1:7000,[fe80::1]',
      {
        kind: 'cluster',
        tls: false,
        credentials: { password: 'pass' },
        nodes: [
          { host: 'host1', port: 7000 },
          { host: 'fe80::1', port: 6379 },
        ],
      },
    ],
    ['rediss+cluster://host1/', { kind: 'cluster', tls: true, nodes: [{ host: 'host1', port: 6379 }] }],
  ])('reads %s', (text, address) => {
    expect(parseRedisUrl(text)).toEqual(address);
  });

  const secret = 'hunter2';
  it.each([
    '',
    'redis',
    'redis:',
    'redis://',
    'http://cache',
    'REDIS://cache',
    ' redis://cache',
    'redis://cache\n',
    'redis+unix://cache',
    'redis://cache:0',
    'redis://cache:65536',
    'redis://cache:6379:6380',
    'redis://cache:port',
    'redis://a,b',
    'redis://cache/01',
    'redis://cache/-1',
    'redis://cache/1/2',
    'redis://cache/123456',
    'redis://cache?db=1',
    'redis://cache#1',
    'redis://[::1',
    'redis://::1',
    'redis://[1:2:3]',
    'redis://-cache',
    'redis://ca che',
    `redis://${secret}@cache`,
    `redis://user:@cache`,
    `redis://user:${secret}/x@cache`,
    `redis://user:${secret}@x@cache`,
    `redis://user:${secret}%@cache`,
    `redis://user:${secret}%ff@cache`,
    `redis://us:er@cache@${secret}`,
    'redis+sentinel://host1',
    'redis+sentinel://host1/',
    'redis+sentinel://host1/main/0/0',
    'redis+sentinel://host1/ma%69n',
    'redis+sentinel://host1,/main',
    'redis+sentinel://host1/main/x',
    'redis+cluster://host1,,host2',
    'redis+cluster://host1/0',
  ])('refuses %j with one sentence that repeats nothing of it', (text) => {
    const refusal = refusalOf(text);
    expect(refusal).toBeInstanceOf(TypeError);
    const { message } = refusal as TypeError;
    expect(message).toMatch(/^must [^.\n]{10,120}$/);
    expect(message).not.toContain(secret);
  });

  it('decodes percent-encoded user names and passwords', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' });
    fc.assert(
      fc.property(text, text, (username, password) => {
        const encoded = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
        expect(parseRedisUrl(`redis://${encoded}@cache`).credentials).toEqual({ username, password });
      }),
    );
  });

  it('parses or refuses any text, and throws no other error', () => {
    const part = fc.constantFrom(
      'redis',
      's',
      '+sentinel',
      '+cluster',
      '://',
      ':',
      '@',
      ',',
      '/',
      'a',
      '1',
      '%4',
      '[',
      ']',
      '::1',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => {
          const refusal = refusalOf(text);
          expect(refusal === undefined || refusal instanceof TypeError).toBe(true);
        },
      ),
    );
  });
});

function refusalOf(text: string): unknown {
  try {
    parseRedisUrl(text);
    return undefined;
  } catch (error) {
    return error;
  }
}
