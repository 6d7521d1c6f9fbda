import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import type { EgressFailureReason } from './outcome.js';
import { statementFetchers } from './statement-fetcher.js';

const SIGNAL = new AbortController().signal;
const ADDRESS = 'https://rp.example/.well-known/openid-federation';

function createFetchers(negativeCacheSeconds: number, reason: EgressFailureReason = 'refused') {
  const clock = frozenClock();
  const requested: string[] = [];
  const documents = new Map<string, string>();
  const egress = {
    fetchDocument: async ({ url }: { readonly url: string }) => {
      requested.push(url);
      const text = documents.get(url);
      return text === undefined
        ? ({
            outcome: 'failed',
            reason,
            status: undefined,
            retryAfterSeconds: undefined,
            detail: undefined,
          } as const)
        : ({ outcome: 'ok', status: 200, mediaType: 'application/entity-statement+jwt', text } as const);
    },
  };
  return {
    clock,
    requested,
    documents,
    fetchers: statementFetchers({ egress, clock, negativeCacheSeconds }),
  };
}

it('fetches an address once for parallel calls', async () => {
  const { requested, documents, fetchers } = createFetchers(30);
  documents.set(ADDRESS, 'statement');
  const responses = await Promise.all(Array.from({ length: 100 }, () => fetchers.final(ADDRESS, SIGNAL)));
  expect(new Set(responses)).toEqual(new Set(['statement']));
  expect(requested).toEqual([ADDRESS]);
  await fetchers.final(ADDRESS, SIGNAL);
  expect(requested).toHaveLength(2);
});

it('does not fetch a failed address again for the configured time', async () => {
  const { clock, requested, documents, fetchers } = createFetchers(30);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBeUndefined();
  documents.set(ADDRESS, 'statement');
  clock.advanceSeconds(29);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBeUndefined();
  expect(requested).toHaveLength(1);
  clock.advanceSeconds(1);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBe('statement');
  const { fetchers: forgetful, requested: again } = createFetchers(0);
  for (let i = 0; i < 2; i += 1) await forgetful.draft(ADDRESS, SIGNAL);
  expect(again).toHaveLength(2);
});

it('fetches an address again at once after an overload', async () => {
  const { requested, documents, fetchers } = createFetchers(30, 'overloaded');
  await expect(fetchers.final(ADDRESS, SIGNAL)).rejects.toMatchObject({ reason: 'overloaded' });
  documents.set(ADDRESS, 'statement');
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBe('statement');
  expect(requested).toHaveLength(2);
});
