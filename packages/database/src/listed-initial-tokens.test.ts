import { expect, it } from 'vitest';
import type { ListedTokenPosition, ListedTokenState } from './listed-initial-tokens.js';
import { aClient, aDigest, after, anId, anInitialToken, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

it('returns the last issued tokens first, page by page, also those of the same second', async () => {
  const { one } = await twoProcesses();
  for (let number = 0; number < 7; number += 1)
    await one.initialAccessTokens.insert(
      anInitialToken({ digest: aDigest(`token ${number}`), issuedAt: after(Math.floor(number / 3)) }),
    );
  const listed: ListedTokenState[] = [];
  let position: ListedTokenPosition | undefined;
  do {
    const { tokens, next } = await one.listedInitialTokens.page({
      limit: 2,
      ...(position && { after: position }),
    });
    expect(tokens.length).toBeLessThanOrEqual(2);
    listed.push(...tokens);
    position = next;
  } while (position !== undefined);
  expect(new Set(listed.map(({ shortId }) => shortId)).size).toBe(7);
  const times = listed.map(({ issuedAt }) => issuedAt);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

it('finds a token by its short identifier, and none by other texts', async () => {
  const { one } = await twoProcesses();
  await one.initialAccessTokens.insert(anInitialToken({ digest: aDigest('first') }));
  await one.initialAccessTokens.insert(anInitialToken({ digest: aDigest('second') }));
  const shortId = Buffer.from(aDigest('first')).toString('hex').slice(0, 8);
  expect(await one.listedInitialTokens.findByShortId(shortId)).toMatchObject([{ shortId }]);
  for (const text of ['00000000', '', shortId.slice(1), `${shortId}0`, 'not hexa'])
    expect(await one.listedInitialTokens.findByShortId(text)).toEqual([]);
});

it('lists all clients that were registered with a token, in order, while the token exists', async () => {
  const { url, one } = await twoProcesses();
  const used = anInitialToken({ usesLeft: 1 });
  const other = anInitialToken({ digest: aDigest('other'), usesLeft: 1 });
  for (const { digest } of [used, other]) await one.initialAccessTokens.insert(anInitialToken({ digest }));
  await one.clients.create(aClient(), { consuming: { digests: [used.digest], now: NOW } });
  await one.clients.create(aClient({ id: anId('elsewhere') }), {
    consuming: { digests: [other.digest], now: NOW },
  });
  await query(
    url,
    `INSERT INTO initial_access_token_use (token_digest, client_id, used_at)
      SELECT digest, 'client-' || use, to_timestamp(${NOW} + use)
      FROM initial_access_token, generate_series(1, 1200) use
      WHERE digest = '\\x${Buffer.from(used.digest).toString('hex')}'`,
  );
  const usesOf = async ({ digest }: typeof used) => {
    const uses = [];
    for await (const page of one.listedInitialTokens.uses(digest)) uses.push(...page);
    return uses;
  };
  const later = Array.from({ length: 1_200 }, (_, index) => ({
    clientId: `client-${index + 1}`,
    usedAt: NOW + index + 1,
  }));
  expect(await usesOf(used)).toEqual([{ clientId: 'client', usedAt: NOW }, ...later]);
  const first = await one.listedInitialTokens.pageOfUses(used.digest, { limit: 1_000 });
  const second = await one.listedInitialTokens.pageOfUses(used.digest, {
    limit: 1_000,
    ...(first.next !== undefined && { after: first.next }),
  });
  expect([...first.uses, ...second.uses]).toEqual([{ clientId: 'client', usedAt: NOW }, ...later]);
  expect(second.next).toBeUndefined();
  expect(await usesOf(other)).toEqual([{ clientId: 'elsewhere', usedAt: NOW }]);
  await one.initialAccessTokens.delete([used.digest]);
  expect(await usesOf(used)).toEqual([]);
});
