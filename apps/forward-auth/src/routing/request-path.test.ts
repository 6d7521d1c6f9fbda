import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestPath } from './request-path.js';

describe('a path', () => {
  it.each([
    ['/', '/', ''],
    ['/a/b.c', '/a/b.c', '/a/b.c'],
    ['/a/', '/a/', '/a'],
    ['/a?b=../c#d', '/a', '/a'],
    ['/A/%7Eb', '/A/~b', '/a/~b'],
    ['/%C3%84', '/Ä', '/ä'],
    ['/u%C5%BFer%E2%84%AA', '/u\u{17f}er\u{212a}', '/userk'],
    ['/a..b/...', '/a..b/...', '/a..b/...'],
    ["/a:b@c,d=e&f+g!h$i'(j)*", "/a:b@c,d=e&f+g!h$i'(j)*", "/a:b@c,d=e&f+g!h$i'(j)*"],
  ])('%s is decoded once', (target, text, folded) => {
    expect(parseRequestPath(target)).toEqual({ text, folded });
  });

  it.each([
    '',
    'a',
    '*',
    'http://api.example/a',
    '//a',
    '/a//b',
    '/.',
    '/..',
    '/a/../b',
    '/a/./b',
    '/a/..',
    '/a/..?x',
    '/a/%2e%2e/b',
    '/a/%2E',
    '/a/.%2e/b',
    '/a%2fb',
    '/a%2Fb',
    '/a%5cb',
    '/a\\b',
    '/a%25b',
    '/a%252fb',
    '/a%00b',
    '/a%0ab',
    '/a%7f',
    '/a;b',
    '/a%3Bb',
    '/a%3fb',
    '/a%23b',
    '/a#b',
    '/a%',
    '/a%2',
    '/a%zz',
    '/a%c0%af',
    '/a%ff',
    '/%EF%BF%BD',
    '/ä',
    '/a b',
    '/a\tb',
  ])('%j is ambiguous', (target) => {
    expect(parseRequestPath(target)).toBeUndefined();
  });
});

/** Ways in which servers read a path, none of which may make a difference. */
const READERS: Readonly<Record<string, (path: string) => string>> = {
  'decodes before it splits': (path) => decodeURIComponent(path).split('/').join('/'),
  'decodes after it splits': (path) => path.split('/').map(decodeURIComponent).join('/'),
  'decodes twice': (path) => decodeURIComponent(decodeURIComponent(path)),
  'reads as browsers do (URL standard)': (path) => decodeURIComponent(new URL(`http://a${path}`).pathname),
  'removes dot segments': (path) => withoutDots(decodeURIComponent(path)),
  'removes dot segments before it decodes': (path) => decodeURIComponent(withoutDots(path)),
  'merges slashes': (path) => decodeURIComponent(path).replace(/\/+/g, '/'),
  'reads backslashes as slashes': (path) => decodeURIComponent(path).replaceAll('\\', '/'),
  'removes parameters of segments': (path) => decodeURIComponent(path).replace(/;[^/]*/g, ''),
  'removes parameters before it decodes': (path) => decodeURIComponent(path.replace(/;[^/]*/g, '')),
  'ends at a NUL': (path) => decodeURIComponent(path).split('\0', 1)[0] ?? '',
  'splits off the query after decoding': (path) => decodeURIComponent(path).split(/[?#]/, 1)[0] ?? '',
};

function withoutDots(path: string): string {
  const [, ...segments] = path.split('/');
  const kept: string[] = [];
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  });
  return `/${kept.join('/')}`;
}

const PIECES = [
  ...['/', '//', '.', '..', '/../', '/./', '\\', ';', '#', '%', 'a', 'B', '~', 'x.y'],
  ...[
    '%2e',
    '%2E',
    '%2f',
    '%2F',
    '%5c',
    '%5C',
    '%25',
    '%252f',
    '%3b',
    '%3B',
    '%3f',
    '%23',
    '%00',
    '%0a',
    '%7f',
  ],
  ...[
    '%61',
    '%C3%A4',
    '%c0%af',
    '%c0%ae',
    '%e2%84%aa',
    '%ef%bf%bd',
    '%f0%9f%98%80',
    '%u002e',
    '%20',
    '+',
    '*',
  ],
];

const aTarget = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ maxLength: 3 })), {
    maxLength: 8,
  })
  .map((pieces) => `/${pieces.join('')}`);

describe('every accepted path', () => {
  it.each(Object.entries(READERS))('is the same to a server that %s', (_name, read) => {
    let accepted = 0;
    fc.assert(
      fc.property(aTarget, (target) => {
        const parsed = parseRequestPath(target);
        if (parsed === undefined) return;
        accepted += 1;
        const [path = ''] = target.split('?', 1);
        expect(read(path)).toBe(parsed.text);
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('stays the same if it is written again', () => {
    fc.assert(
      fc.property(aTarget, (target) => {
        const parsed = parseRequestPath(target);
        if (parsed === undefined) return;
        const written = parsed.text.split('/').map(encodeURIComponent).join('/');
        expect(parseRequestPath(written)).toEqual(parsed);
      }),
      { numRuns: 5_000 },
    );
  });
});
