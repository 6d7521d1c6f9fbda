import { describe, expect, it, vi } from 'vitest';
import { expectSameForCorpus, issueTokens } from '../support/fast-path-corpus.js';
import { expectSameForRandomRequests } from '../support/random-conversations.js';
import { PROBE, rawRequest } from '../support/raw-requests.js';
import { converse, expectSame, expectSameCounts, twoDoors } from '../support/two-doors.js';

describe('the fast path responds and counts exactly like the route', () => {
  it('to usual and hostile requests', async () => {
    const [fast, slow] = await expectSameForCorpus({});
    expect(fast.routed()).toBeLessThan(slow.routed() * 0.25);
  });

  it('to usual and hostile requests, without a cache', async () => {
    const [fast, slow] = await expectSameForCorpus({ INTROSPECTION_CACHE_ENTRIES: '0' });
    // The route refuses requests on connections that were closed because too many of them waited.
    expect(fast.routed()).toBeLessThan(slow.routed() * 0.6);
  });

  it('to random requests', async () => {
    const [fast, slow] = await expectSameForRandomRequests({ seed: 7662, requests: 1_000 });
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
    expect(doors.map(({ routed }) => routed())).toEqual([3, 68]);
  });
});

it('waits after a pause of the machine until the time of the store is known, and fails if it cannot be', async () => {
  let settling: (() => Promise<void>) | undefined;
  const { service, doors } = await twoDoors({ settle: () => settling?.() });
  const { tokens } = await issueTokens(service);
  const [fast] = doors;
  const uses = async () => (await fast.counted()).filter((line) => line.startsWith('uses'));
  const respond = () => converse(fast, { pieces: [rawRequest({ body: `token=${tokens.hot}` }) + PROBE] });

  let end: (() => void) | undefined;
  const pause = new Promise<void>((resolve) => {
    end = resolve;
  });
  settling = vi.fn(() => pause);
  const response = respond();
  await expect.poll(() => settling).toHaveBeenCalled();
  expect(await uses()).toEqual([]);
  settling = undefined;
  end?.();
  expect(await response).toContain('"active":true');
  expect(await uses()).toEqual(['uses of rs1: 1']);
  settling = () => Promise.reject(new Error('the database is away'));
  expect(await respond()).toMatch(/^HTTP\/1.1 500 /);
  expect(await uses()).toEqual(['uses of rs1: 1']);
});

it('is not used with the format of signed responses', async () => {
  const { service, doors } = await twoDoors({ environment: { INTROSPECTION_FORMAT: 'jwt' } });
  const { tokens } = await issueTokens(service);
  const text = rawRequest({ body: `token=${tokens.hot}` }).repeat(3) + PROBE;
  await expectSame(doors, text, () => ({ pieces: [text] }));
  expect(doors.map(({ routed }) => routed())).toEqual([4, 4]);
});
