import { describe, expect, it } from 'vitest';
import { aClient, aDigest, after, anAccessToken, anId, NOW, twoProcesses } from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

const COMPLETE = anAccessToken({
  scope: 'read write',
  audience: ['api', 'with "quotes", {braces} and \\'],
  notBefore: after(-1),
  subject: 'alice',
  username: 'Älice',
  jti: 'jti',
  confirmation: { 'x5t#S256': 'thumb' },
  actor: { sub: 'admin', act: { sub: 'root' } },
  data: { a: [1, { b: null }] },
  claims: { email: 'a@b.example' },
  authorizationId: 'authorization',
  sessionId: 'session',
});

async function withClient() {
  const processes = await twoProcesses();
  await processes.one.clients.create(aClient());
  await query(
    processes.url,
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
     VALUES ('authorization', 'client', 'alice', '{}', now())`,
  );
  return processes;
}

describe('find', () => {
  it('returns a token exactly as it was inserted, under any of the digests, live or expired', async () => {
    const { one, other } = await withClient();
    for (const token of [anAccessToken(), COMPLETE, anAccessToken({ expiresAt: after(-9) })]) {
      const digest = aDigest(JSON.stringify(token));
      expect(await one.accessTokens.insert(digest, token)).toBe(true);
      expect(await other.accessTokens.find([aDigest('other key'), digest])).toStrictEqual(token);
    }
    expect(await one.accessTokens.find([aDigest('unknown')])).toBeUndefined();
    expect(await one.accessTokens.find([])).toBeUndefined();
  });
});

describe('findMany', () => {
  it('returns every token with one of the digests, with its digest', async () => {
    const { one } = await withClient();
    const scopes = ['a', 'b', 'c'];
    for (const scope of scopes) await one.accessTokens.insert(aDigest(scope), anAccessToken({ scope }));
    const found = await one.accessTokens.findMany(['a', 'none', 'c', 'a'].map(aDigest));
    expect(new Set(found)).toEqual(
      new Set(['a', 'c'].map((scope) => ({ digest: aDigest(scope), token: anAccessToken({ scope }) }))),
    );
    expect(await one.accessTokens.findMany([])).toEqual([]);
  });
});

describe('a token whose client', () => {
  it.each(['pending', 'suspended'])('is %s is not found and not consumed', async (status) => {
    const { url, one } = await withClient();
    await one.accessTokens.insert(aDigest('t'), anAccessToken());
    await query(url, 'UPDATE client SET status = $1::client_status', [status]);
    expect(await one.accessTokens.find([aDigest('t')])).toBeUndefined();
    expect(await one.accessTokens.findMany([aDigest('t')])).toEqual([]);
    expect(await one.accessTokens.claim([aDigest('t')], [anId('api')], NOW)).toBeUndefined();
    expect(await countRows(url, 'access_token')).toBe(1);
    await query(url, `UPDATE client SET status = 'active'`);
    expect(await one.accessTokens.find([aDigest('t')])).toBeDefined();
  });

  it('expires has the time of expiry, and is not consumed from that second on', async () => {
    const { url, one } = await withClient();
    await one.accessTokens.insert(aDigest('t'), anAccessToken());
    await query(url, 'UPDATE client SET expires_at = to_timestamp($1)', [after(60)]);
    const token = { ...anAccessToken(), clientExpiresAt: after(60) };
    expect(await one.accessTokens.find([aDigest('t')])).toStrictEqual(token);
    expect(await one.accessTokens.claim([aDigest('t')], [anId('api')], after(60))).toBeUndefined();
    expect(await one.accessTokens.claim([aDigest('t')], [anId('api')], after(59))).toStrictEqual(
      anAccessToken(),
    );
  });
});

describe('insert', () => {
  it('refuses a token whose client or authorization does not exist', async () => {
    const { url, one } = await withClient();
    const orphans = [{ clientId: anId('unknown-id') }, { authorizationId: 'none' }];
    for (const orphan of orphans) {
      expect(await one.accessTokens.insert(aDigest('t'), anAccessToken(orphan))).toBe(false);
    }
    expect(await countRows(url, 'access_token')).toBe(0);
  });

  it('rejects a digest that exists already', async () => {
    const { one } = await withClient();
    await one.accessTokens.insert(aDigest('t'), anAccessToken());
    await expect(one.accessTokens.insert(aDigest('t'), COMPLETE)).rejects.toMatchObject({ code: '23505' });
    expect(await one.accessTokens.find([aDigest('t')])).toStrictEqual(anAccessToken());
  });
});

describe('claim', () => {
  it('returns the token once and deletes it', async () => {
    const { one, other } = await withClient();
    const token = { ...COMPLETE, audience: [] };
    await one.accessTokens.insert(aDigest('t'), token);
    const digests = [aDigest('other key'), aDigest('t')];
    expect(await other.accessTokens.claim(digests, [anId('api')], NOW)).toStrictEqual(token);
    expect(await one.accessTokens.claim(digests, [anId('api')], NOW)).toBeUndefined();
    expect(await one.accessTokens.find(digests)).toBeUndefined();
  });

  // Otherwise a resource server destroys tokens that were never meant for it.
  it('does not consume a token that is expired, not yet valid, or for another audience', async () => {
    const { one } = await withClient();
    const refused = [
      { expiresAt: NOW },
      { expiresAt: after(-1) },
      { notBefore: after(1) },
      { audience: ['another'] },
      { audience: ['api2', 'API', ''] },
    ];
    for (const deviation of refused) {
      const digest = aDigest(JSON.stringify(deviation));
      await one.accessTokens.insert(digest, anAccessToken(deviation));
      expect(await one.accessTokens.claim([digest], [anId('api')], NOW)).toBeUndefined();
      expect(await one.accessTokens.find([digest])).toBeDefined();
    }
  });

  it('consumes a token in its first and in its last second, for a caller in its audience', async () => {
    const { one } = await withClient();
    const taken = [{ expiresAt: after(1) }, { notBefore: NOW }, { audience: ['another', 'api'] }];
    for (const deviation of taken) {
      await one.accessTokens.insert(aDigest('t'), anAccessToken(deviation));
      expect(await one.accessTokens.claim([aDigest('t')], [anId('api')], NOW)).toBeDefined();
    }
  });

  // Otherwise a single-use token could be used by several parallel requests.
  it('returns the token to exactly one of 100 parallel calls in two processes', async () => {
    const { one, other } = await withClient();
    for (let round = 0; round < 10; round += 1) {
      const digest = aDigest(`t${round}`);
      await one.accessTokens.insert(digest, anAccessToken());
      const claims = Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? one : other).accessTokens.claim([digest], [anId(`api-${index}`)], NOW),
      );
      expect((await Promise.all(claims)).filter((token) => token !== undefined)).toHaveLength(1);
    }
  });
});
