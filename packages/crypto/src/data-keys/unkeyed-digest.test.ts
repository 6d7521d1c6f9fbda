import { expect, it } from 'vitest';
import { sha256 } from '../sha256.js';
import { unkeyedDigest } from './unkeyed-digest.js';

it('depends on the kind and the value alone', () => {
  const digest = unkeyedDigest('artifact', 'value');
  expect(Buffer.from(digest).toString('hex')).toBe(
    'af0b47d6339e3056e61fc29d18391b6b1bbff3403c84704692868dbfbc81a958',
  );
  for (const other of [unkeyedDigest('cookie', 'value'), unkeyedDigest('artifact', 'other'), sha256('value')])
    expect(other).not.toEqual(digest);
});
