import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import type { EgressFailureReason } from './outcome.js';
import { statementFetchers } from './statement-fetcher.js';

const SIGNAL = new AbortController().signal;
const ADDRESS = 'https://rp.example/.well-known/openid-federation';

function createFetchers(negativeCacheSeconds: number, reason: EgressFailureReason = 'refused') {
  const clock = frozenClock();
  const asked: string[] = [];
  const documents = new Map<string, string>();
  const egress = {
    fetchDocument: async ({ url }: { readonly url: string }) => {
      asked.push(url);
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
  return { clock, asked, documents, fetchers: statementFetchers({ egress, clock, negativeCacheSeconds }) };
}

it('fetches an address once for parallel calls', async () => {
  const { asked, documents, fetchers } = createFetchers(30);
  documents.set(ADDRESS, 'statement');
  const responses = await Promise.all(Array.from({ length: 100 }, () => fetchers.final(ADDRESS, SIGNAL)));
  expect(new Set(responses)).toEqual(new Set(['statement']));
  expect(asked).toEqual([ADDRESS]);
  await fetchers.final(ADDRESS, SIGNAL);
  expect(asked).toHaveLength(2);
});

it('does not fetch a failed address again for the configured time', async () => {
  const { clock, asked, documents, fetchers } = createFetchers(30);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBeUndefined();
  documents.set(ADDRESS, 'statement');
  clock.advanceSeconds(29);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBeUndefined();
  expect(asked).toHaveLength(1);
  clock.advanceSeconds(1);
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBe('statement');
  const { fetchers: forgetful, asked: again } = createFetchers(0);
  for (let i = 0; i < 2; i += 1) await forgetful.draft(ADDRESS, SIGNAL);
  expect(again).toHaveLength(2);
});

it('fetches an address again at once after an overload', async () => {
  const { asked, documents, fetchers } = createFetchers(30, 'overloaded');
  await expect(fetchers.final(ADDRESS, SIGNAL)).rejects.toMatchObject({ reason: 'overloaded' });
  documents.set(ADDRESS, 'statement');
  expect(await fetchers.final(ADDRESS, SIGNAL)).toBe('statement');
  expect(asked).toHaveLength(2);
});
