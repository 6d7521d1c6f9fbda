import { expect, it } from 'vitest';
import { aClient, aDigest, anId, anInitialToken, NOW, twoProcesses } from './testing/fixtures.js';
import { query } from './testing/test-database.js';

it('lists all clients that were registered with a token, in order, while the token exists', async () => {
  const { url, one } = await twoProcesses();
  const used = anInitialToken({ usesLeft: 1 });
  const other = anInitialToken({ digest: aDigest('other'), usesLeft: 1 });
  for (const { digest } of [used, other]) await one.initialAccessTokens.insert(anInitialToken({ digest }));
  await one.clients.create(aClient(), { consuming: { candidates: [used.digest], now: NOW } });
  await one.clients.create(aClient({ id: anId('elsewhere') }), {
    consuming: { candidates: [other.digest], now: NOW },
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
  expect(await usesOf(other)).toEqual([{ clientId: 'elsewhere', usedAt: NOW }]);
  await one.initialAccessTokens.delete([used.digest]);
  expect(await usesOf(used)).toEqual([]);
});
