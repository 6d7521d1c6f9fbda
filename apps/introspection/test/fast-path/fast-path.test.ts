import { describe, expect, it } from 'vitest';
import { corpus, issueTokens } from '../support/fast-path-corpus.js';
import { expectSameForRandomRequests } from '../support/random-conversations.js';
import { PROBE, rawRequest } from '../support/raw-requests.js';
import { expectSame, expectSameCounts, twoDoors } from '../support/two-doors.js';

describe('the fast path responds and counts exactly like the route', () => {
  const environments: readonly Readonly<Record<string, string>>[] = [
    {},
    { INTROSPECTION_FORMAT: 'json', INTROSPECTION_NARROW_SCOPE: 'true' },
    { INTROSPECTION_AUDIENCE_RULE: 'report', INTROSPECTION_PRUNE_AUDIENCE: 'false' },
  ];

  it.each(environments)('to usual and hostile requests, with the settings %o', async (environment) => {
    const { service, doors } = await twoDoors({ environment });
    const cases = await corpus(service);
    // The second time with full caches.
    for (let round = 0; round < 2; round += 1)
      for (const [name, make] of cases) {
        await expectSame(doors, name, make);
        await expectSameCounts(doors, name);
      }
    const [fast, slow] = doors;
    expect(fast.routed()).toBeLessThan(slow.routed() / 2);
  });

  it('to random requests', async () => {
    const [fast, slow] = await expectSameForRandomRequests({ seed: 7662, requests: 3_000 });
    expect(fast.routed()).toBeLessThan(slow.routed() * 0.75);
  });

  it('over TLS', async () => {
    const { service, doors } = await twoDoors({ isTls: true });
    const { tokens } = await issueTokens(service);
    const usual = rawRequest({ body: `token=${tokens.hot}` });
    const other = rawRequest({ body: `token=${tokens.unknown}` });
    const texts = [usual, usual + other + usual, usual.repeat(60), `${usual}garbage\r\n\r\n`];
    for (const text of texts) await expectSame(doors, text, () => ({ pieces: [text + PROBE] }));
    await expectSameCounts(doors, 'TLS');
    expect(doors.map(({ routed }) => routed())).toEqual([5, 68]);
  });
});

it('is not used with the format of signed responses, nor without a cache', async () => {
  for (const environment of [{ INTROSPECTION_FORMAT: 'jwt' }, { INTROSPECTION_CACHE_ENTRIES: '0' }]) {
    const { service, doors } = await twoDoors({ environment });
    const { tokens } = await issueTokens(service);
    const text = rawRequest({ body: `token=${tokens.hot}` }).repeat(3) + PROBE;
    await expectSame(doors, text, () => ({ pieces: [text] }));
    expect(doors.map(({ routed }) => routed())).toEqual([4, 4]);
  }
});
