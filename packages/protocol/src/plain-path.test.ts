import { expect, it } from 'vitest';
import { isPlainPath } from './index.js';

it.each(['/logout', '/session/end', '/a-b_c.d'])('takes %s', (path) => {
  expect(isPlainPath(path)).toBe(true);
});

it.each([
  '',
  'logout',
  '/',
  '/logout/',
  '//evil.example',
  '/a//b',
  '/../x',
  '/a/./b',
  '/.hidden',
  '/a%2f',
  '/a b',
  '/a?x=1',
  '/a#b',
  '/a\\b',
  '/a:id',
  '/a\n',
  'https://as.example/logout',
  undefined,
  7,
])('refuses %j', (path) => {
  expect(isPlainPath(path)).toBe(false);
});
