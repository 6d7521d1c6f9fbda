import type { EpochSeconds } from '@vestibule/protocol';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@vestibule/tokens/issuing';
import type { SelfContainedTokenFacts } from '@vestibule/tokens/revocation';
import { describe, expect, it } from 'vitest';
import type { Database } from './open-database.js';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  isRevoked,
  NOW,
  twoProcesses,
} from './testing/fixtures.js';
import { countRows, query } from './testing/test-database.js';

function facts(deviations: Partial<SelfContainedTokenFacts> = {}): SelfContainedTokenFacts {
  return {
    issuer: 'https://server.example',
    jti: 'jti',
    earliestIssuedAt: NOW,
    clientId: anId('client'),
    subject: 'alice',
    sessionId: 'session',
    ...deviations,
  };
}

/** Two clients; for each of two subjects and sessions an authorization with a refresh and an access token at each. */
async function populated() {
  const processes = await twoProcesses();
  for (const id of ['client', 'bystander']) await processes.one.clients.create(aClient({ id: anId(id) }));
  await query(
    processes.url,
    `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
       SELECT c.id || s, c.id, s, '{}', now() FROM client c, unnest(ARRAY['alice', 'bob']) s;
     INSERT INTO refresh_token (digest, client_id, subject, scope, issued_at, expires_at, authorization_id, session_id)
       SELECT sha256(('r' || id)::bytea), client_id, subject, '', now(), now(), id, 'session-' || subject
       FROM "authorization";
     INSERT INTO session (id, cookie_digest, created_at, expires_at)
       SELECT 'session-' || s, sha256(s::bytea), now(), now() FROM unnest(ARRAY['alice', 'bob']) s;
     INSERT INTO session_client (session_id, client_id, sid)
       SELECT s.id, c.id, s.id || '-at-' || c.id FROM session s, client c`,
  );
  for (const client of ['client', 'bystander']) {
    for (const subject of ['alice', 'bob']) {
      const token = anAccessToken({ clientId: anId(client), subject, sessionId: `session-${subject}` });
      await processes.one.accessTokens.insert(aDigest(`${client} ${subject}`), token);
      const authorized = { ...token, authorizationId: client + subject };
      await processes.one.accessTokens.insert(aDigest(`${client} ${subject} authorized`), authorized);
    }
  }
  return processes;
}

async function counts(url: string) {
  const tables = ['access_token', 'refresh_token', 'authorization'];
  return Promise.all(tables.map((table) => countRows(url, table)));
}

describe('statuses', () => {
  it('reports a token that no revocation covers as not revoked', async () => {
    const { one } = await populated();
    await one.revocations.revokeSelfContained('https://server.example', 'other', after(60), NOW);
    await one.revocations.revokeSelfContained('https://other.example', 'jti', after(60), NOW);
    for (const other of ['other', 'bob', '']) {
      await one.revocations.revokeClient(anId(other), NOW);
      await one.revocations.revokeSubject(other, NOW);
      await one.revocations.revokeSession(other, NOW);
      await one.revocations.revokeIssuer(other, NOW);
    }
    expect(await isRevoked(one, facts())).toBe(false);
  });

  it('reports a revoked token', async () => {
    const { one, other } = await populated();
    for (const times of [1, 2]) {
      await one.revocations.revokeSelfContained('https://server.example', 'jti', after(60 * times), NOW);
    }
    expect(await isRevoked(other, facts())).toBe(true);
  });

  const cutoffs: [string, (database: Database, second: EpochSeconds) => Promise<void>][] = [
    ['client', ({ revocations }, second) => revocations.revokeClient(anId('client'), second)],
    ['subject', ({ revocations }, second) => revocations.revokeSubject('alice', second)],
    ['session', ({ revocations }, second) => revocations.revokeSession('session', second)],
    ['issuer', ({ revocations }, second) => revocations.revokeIssuer('https://server.example', second)],
  ];

  for (const [kind, revoke] of cutoffs) {
    it(`reports tokens up to and including the second of a cut-off by ${kind}, which never moves back`, async () => {
      const { one, other } = await twoProcesses();
      await one.clients.create(aClient());
      const isCovered = (earliestIssuedAt: EpochSeconds) => isRevoked(other, facts({ earliestIssuedAt }));
      await revoke(one, NOW);
      expect(await isCovered(NOW)).toBe(true);
      expect(await isCovered(after(1))).toBe(false);
      await Promise.all([5, 3, 4].map((second) => revoke(one, after(second))));
      expect(await isCovered(after(5))).toBe(true);
      expect(await isCovered(after(6))).toBe(false);
    });
  }

  it('applies the later of any two cut-offs', async () => {
    for (const [, revokeEarly] of cutoffs) {
      const { one } = await twoProcesses();
      await one.clients.create(aClient());
      for (const [, revokeLate] of cutoffs) {
        await revokeEarly(one, NOW);
        await revokeLate(one, after(9));
        expect(await isRevoked(one, facts({ earliestIssuedAt: after(9) }))).toBe(true);
      }
    }
  });

  it('does not apply cut-offs for claims that a token does not have', async () => {
    const { one } = await twoProcesses();
    await one.clients.create(aClient());
    for (const value of ['undefined', 'null', '']) {
      await one.revocations.revokeSubject(value, NOW);
      await one.revocations.revokeSession(value, NOW);
    }
    const { subject, sessionId, ...rest } = facts();
    expect(await isRevoked(one, rest)).toBe(false);
  });

  it('reports the token of a client that does not exist or is pending approval, and when its client expires', async () => {
    const { one } = await populated();
    await one.clients.create(aClient({ id: anId('pending'), status: 'pending' }));
    await one.clients.create(aClient({ id: anId('suspended'), status: 'suspended' }));
    await one.clients.create(aClient({ id: anId('short-lived'), expiresAt: after(60) }));
    for (const id of ['unknown-id', 'pending', 'suspended'])
      expect(await isRevoked(one, facts({ clientId: anId(id) }))).toBe(true);
    expect(await one.revocations.statuses([facts({ clientId: anId('short-lived') })])).toStrictEqual([
      { isRevoked: false, clientExpiresAt: after(60) },
    ]);
  });

  it('returns the status of each of many tokens, in order', async () => {
    const { one } = await populated();
    const jtis = Array.from({ length: 200 }, (_, index) => `jti-${index}`);
    const odd = jtis.filter((_, index) => index % 2 === 1);
    await Promise.all(
      odd.map((jti) => one.revocations.revokeSelfContained('https://server.example', jti, after(60), NOW)),
    );
    const { subject, sessionId, ...rest } = facts();
    const requested = jtis.map((jti, index) => (index % 3 === 0 ? { ...rest, jti } : facts({ jti })));
    const statuses = await one.revocations.statuses(requested);
    expect(statuses.map((status) => status.isRevoked)).toEqual(jtis.map((jti) => odd.includes(jti)));
    expect(await one.revocations.statuses([])).toEqual([]);
  });
});

describe('revoking', () => {
  it('deletes everything of a client and nothing else', async () => {
    const { url, one } = await populated();
    await one.revocations.revokeClient(anId('client'), NOW);
    expect(await counts(url)).toEqual([4, 2, 2]);
    expect(await one.accessTokens.find([aDigest('bystander alice authorized')])).toBeDefined();
    expect(await one.clients.find(anId('client'))).toBeDefined();
  });

  it('deletes everything of a subject and nothing else', async () => {
    const { url, one } = await populated();
    await one.revocations.revokeSubject('alice', NOW);
    expect(await counts(url)).toEqual([4, 2, 2]);
    expect(await one.accessTokens.find([aDigest('client bob authorized')])).toBeDefined();
  });

  it('deletes the tokens of a session, and keeps the authorizations', async () => {
    for (const name of ['session-alice', 'session-alice-at-client']) {
      const { url, one } = await populated();
      await one.revocations.revokeSession(name, NOW);
      expect(await counts(url)).toEqual([4, 2, 4]);
      expect(await one.accessTokens.find([aDigest('bystander alice')])).toBeUndefined();
      for (const sessionId of ['session-alice', 'session-alice-at-client', 'session-alice-at-bystander']) {
        expect(await isRevoked(one, facts({ sessionId }))).toBe(true);
      }
      expect(await isRevoked(one, facts({ sessionId: 'session-bob' }))).toBe(false);
    }
  });

  it('deletes a refresh token with the access tokens of its authorization', async () => {
    const { url, one } = await populated();
    expect(await one.revocations.revokeRefreshToken([aDigest('unknown')], NOW)).toBe(false);
    expect(await counts(url)).toEqual([8, 4, 4]);
    const digests = [aDigest('unknown'), aDigest('rclientalice')];
    expect(await one.revocations.revokeRefreshToken(digests, NOW)).toBe(true);
    expect(await one.revocations.revokeRefreshToken(digests, NOW)).toBe(false);
    expect(await counts(url)).toEqual([7, 3, 4]);
    expect(await one.accessTokens.find([aDigest('client alice authorized')])).toBeUndefined();
    expect(await one.accessTokens.find([aDigest('client alice')])).toBeDefined();
  });

  it('deletes an access token, and reports when there is none', async () => {
    const { url, one } = await populated();
    const revoke = () => one.revocations.revokeAccessToken([aDigest('other key'), aDigest('client alice')]);
    expect([await revoke(), await revoke()]).toEqual([true, false]);
    expect(await counts(url)).toEqual([7, 4, 4]);
  });

  it('keeps a cut-off for longer than any token lives', async () => {
    const { url, one } = await twoProcesses();
    await one.revocations.revokeSubject('alice', NOW);
    const [row] = await query<{ expires_at: Date }>(url, 'SELECT expires_at FROM revocation_cutoff');
    expect(row?.expires_at.getTime()).toBeGreaterThan(after(MAX_TOKEN_LIFETIME_SECONDS) * 1000);
  });

  it('completes while other revocations run at the same time', async () => {
    const { url, one, other } = await populated();
    const all = Array.from({ length: 10 }, () => [
      one.revocations.revokeClient(anId('client'), NOW),
      other.revocations.revokeSubject('alice', NOW),
      one.revocations.revokeSession('session-bob', NOW),
      other.clients.delete(anId('bystander'), NOW),
      one.revocations.revokeClient(anId('bystander'), NOW),
      other.revocations.revokeSubject('bob', NOW),
    ]);
    await Promise.all(all.flat());
    expect(await counts(url)).toEqual([0, 0, 0]);
  });
});
