import { describe, expect, it } from 'vitest';
import { expectSameForCorpus } from '../support/fast-path-corpus.js';
import { expectSameForRandomRequests } from '../support/random-conversations.js';

describe('the fast path responds and counts exactly like the route', () => {
  it.each([
    { INTROSPECTION_FORMAT: 'json', INTROSPECTION_NARROW_SCOPE: 'true' },
    { INTROSPECTION_AUDIENCE_RULE: 'report', INTROSPECTION_PRUNE_AUDIENCE: 'false' },
  ])('to usual and hostile requests, with %j', async (environment) => {
    const [fast, slow] = await expectSameForCorpus(environment);
    expect(fast.routed()).toBeLessThan(slow.routed() * 0.25);
  });

  it('to 100,000 random requests', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const [fast, slow] = await expectSameForRandomRequests({ seed, requests: 100_000 });
    expect(fast.routed()).toBeLessThan(slow.routed() * 0.75);
  }, 1_800_000);
});
