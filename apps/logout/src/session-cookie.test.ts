import { expect, it } from 'vitest';
import { cookieValues } from './session-cookie.js';

it('finds the values of exactly one name, only a few of them, and none that are too long', () => {
  expect(cookieValues('a=1; session=x; session=y; xsession=z; session2=w', 'session')).toEqual(['x', 'y']);
  expect(cookieValues('session=; session', 'session')).toEqual([]);
  expect(cookieValues(undefined, 'session')).toEqual([]);
  expect(cookieValues(`session=${'x'.repeat(257)}`, 'session')).toEqual([]);
  expect(cookieValues('session=x; '.repeat(50), 'session')).toHaveLength(5);
});
