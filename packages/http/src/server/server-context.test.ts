import { expect, it } from 'vitest';
import { createServer } from './server.js';
import { beginDrain, isDraining } from './server-context.js';

it('tells whether a server drains', () => {
  const [first, second] = [createServer({ logger: false }), createServer({ logger: false })];
  beginDrain(first);
  expect([isDraining(first), isDraining(second)]).toEqual([true, false]);
});
