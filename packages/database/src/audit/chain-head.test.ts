import { expect, it } from 'vitest';
import { chainHeadText, parseChainHead } from './chain-head.js';

const HASH = '0123456789abcdef'.repeat(4);

it('reads what it writes', () => {
  const head = { position: 1204n, hash: HASH };
  expect(parseChainHead(chainHeadText(head))).toEqual(head);
});

it.each(['', '1204', `0:${HASH}`, `1:${HASH}0`, `1:${HASH.toUpperCase()}`, `-1:${HASH}`, ` 1:${HASH}`])(
  'takes %j for no head',
  (text) => {
    expect(parseChainHead(text)).toBeUndefined();
  },
);
