import { expect, it } from 'vitest';
import { expectSameForRandomRequests } from '../support/random-conversations.js';

it('responds and counts exactly like the route to 100,000 random requests', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const [fast, slow] = await expectSameForRandomRequests({ seed, requests: 100_000 });
  expect(fast.routed()).toBeLessThan(slow.routed() * 0.75);
}, 1_800_000);
