import { type EpochSeconds, epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { everyChange, recorded, said } from '../testing/changes.js';
import { aClient, aDigest, anAccessToken, anId, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';

const CLIENT = anId('client');
const AUTHOR = { actor: 'master', clock: systemClock } as const;

/** A client with a session of `alice` and a token of each kind in it, and what is noted while something is done. */
async function aLogin() {
  const { url, one } = await twoProcesses();
  const { lastEventId } = await recorded(one);
  const now = nowSeconds(systemClock);
  const sql = (statement: string) => query(url, statement);
  for (const id of [CLIENT, anId('other')]) await one.clients.create(aClient({ id }));
  await sql(`
    INSERT INTO session (id, subject, cookie_digest, created_at, expires_at)
      VALUES ('session', 'alice', sha256('cookie'), now(), now() + interval '1 hour');
    INSERT INTO session_client (session_id, client_id, sid) VALUES ('session', 'client', 'sid-1'), ('session', 'other', 'sid-2')`);
  const token = anAccessToken({
    subject: 'alice',
    jti: 'jti-1',
    sessionId: 'session',
    issuedAt: now,
    expiresAt: later(now, 600),
  });
  await one.accessTokens.insert(aDigest('access'), token);
  await sql(`INSERT INTO refresh_token (digest, client_id, subject, scope, issued_at, expires_at, session_id)
    VALUES (sha256('refresh'), 'client', 'alice', '', to_timestamp(${now}), to_timestamp(${now + 600}), 'session')`);
  const noted = async (act: () => Promise<unknown>) => {
    await act();
    return (await everyChange(one)).filter(({ id }) => id !== lastEventId).map(said);
  };
  return { url, one, sql, now, noted, acting: one.actingAs(AUTHOR) };
}

function later(now: EpochSeconds, seconds: number): EpochSeconds {
  return epochSeconds(now + seconds);
}

const CLIENTS = { client: { sid: 'sid-1' }, other: { sid: 'sid-2' } };
const SESSION = { sid: 'session', sub: 'alice', clients: CLIENTS };

describe('a session that ends', () => {
  it('at the logout page is one event, with its clients and without its tokens', async () => {
    const { one, now, noted } = await aLogin();
    const session = { id: 'session', subject: 'alice', clients: [] };
    expect(await noted(() => one.logoutSessions.end(session, now))).toEqual([
      ['session.ended', 'logout', SESSION],
    ]);
  });

  it('at one client only is an event of that client', async () => {
    const { one, now, noted } = await aLogin();
    const session = { id: 'session', subject: 'alice', clients: [] };
    expect(await noted(() => one.logoutSessions.leave(session, CLIENT, now))).toEqual([
      [
        'session.client_ended',
        'logout',
        { sid: 'session', sub: 'alice', clients: { client: { sid: 'sid-1' } } },
      ],
    ]);
  });

  it('at the provider, or by its cookie, is a logout', async () => {
    const { one, now, noted } = await aLogin();
    expect(await noted(() => one.providerRecords.sessions.destroyByCookie([aDigest('cookie')], now))).toEqual(
      [['session.ended', 'logout', SESSION]],
    );
  });

  it('by an operator says so, by whichever identifier', async () => {
    for (const name of ['session', 'sid-2']) {
      const { acting, now, noted } = await aLogin();
      expect(await noted(() => acting.sessions.end(name, now))).toEqual([
        ['session.ended', 'operator', SESSION],
      ]);
    }
    const { acting, now, noted } = await aLogin();
    expect(await noted(() => acting.sessions.endOfSubject('alice', now))).toEqual([
      ['session.ended', 'operator', SESSION],
    ]);
  });

  it('by its time says so', async () => {
    const { one, now, noted } = await aLogin();
    expect(await noted(() => one.expiredSessions.endExpired(later(now, 3_700)))).toEqual([
      ['session.ended', 'expired', SESSION],
    ]);
    const cleaned = await aLogin();
    expect(
      await cleaned.noted(() => cleaned.one.cleanUp({ now: later(cleaned.now, 100_000) })),
    ).toContainEqual(['session.ended', 'expired', SESSION]);
  });

  it('by plain SQL is an event too, unless no end-user was logged in', async () => {
    const { sql, noted } = await aLogin();
    await sql(`INSERT INTO session (id, cookie_digest, created_at, expires_at)
      VALUES ('anonymous', sha256('none'), now(), now() + interval '1 hour')`);
    expect(await noted(() => sql('DELETE FROM session'))).toEqual([['session.ended', 'deleted', SESSION]]);
  });
});

describe('tokens that are revoked', () => {
  const times = (now: number) => ({ iat: now, exp: now + 600 });

  it('one by one, are an event each', async () => {
    const { acting, now, noted } = await aLogin();
    const both = async () => {
      await acting.revocations.revokeAccessToken([aDigest('access')]);
      await acting.revocations.revokeRefreshToken([aDigest('refresh')], now);
      await acting.revocations.revokeSelfContained('https://as.example', 'jti-2', later(now, 600), now);
    };
    const common = { covers: 'token', client_id: 'client', sub: 'alice', sid: 'session', ...times(now) };
    expect(await noted(both)).toEqual([
      ['tokens.revoked', 'revoked', { ...common, token_type: 'access_token', jti: 'jti-1' }],
      ['tokens.revoked', 'revoked', { ...common, token_type: 'refresh_token' }],
      [
        'tokens.revoked',
        'revoked',
        {
          covers: 'token',
          token_type: 'access_token',
          iss: 'https://as.example',
          jti: 'jti-2',
          exp: now + 600,
        },
      ],
    ]);
  });

  it('by their one use, say so', async () => {
    const { one, now, noted } = await aLogin();
    const claim = () => one.accessTokens.claim([aDigest('access')], [anId('api')], now);
    expect(await noted(claim)).toEqual([
      ['tokens.revoked', 'used', expect.objectContaining({ covers: 'token', jti: 'jti-1' })],
    ]);
  });

  it('by client, end-user, session or issuer, are one event however many they are', async () => {
    const causes = {
      client: [(log: Login) => log.acting.revocations.revokeClient(CLIENT, log.now), { client_id: 'client' }],
      subject: [(log: Login) => log.acting.revocations.revokeSubject('alice', log.now), { sub: 'alice' }],
      session: [(log: Login) => log.acting.revocations.revokeSession('sid-1', log.now), SESSION],
      issuer: [
        (log: Login) => log.acting.revocations.revokeIssuer('https://as.example', log.now),
        { iss: 'https://as.example' },
      ],
    } as const;
    for (const [covers, [revoke, members]] of Object.entries(causes)) {
      const login = await aLogin();
      await login.sql(`
        INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
          VALUES ('grant', 'client', 'alice', '{}', now());
        INSERT INTO artifact (kind, digest, payload, authorization_id, expires_at)
          SELECT 'SelfContainedToken', sha256(n::text::bytea), jsonb_build_object('iss', 'i', 'jti', n), 'grant',
            now() + interval '1 hour' FROM generate_series(1, 50) n;
        INSERT INTO access_token
          (digest, client_id, subject, session_id, scope, audience, issuer, issued_at, expires_at)
        SELECT sha256(n::text::bytea), 'client', 'alice', 'session', '', '{}', 'i', to_timestamp(${login.now}),
          now() + interval '1 hour' FROM generate_series(1, 500) n`);
      const expected = ['tokens.revoked', 'revoked', { covers, ...members, issued_until: login.now }];
      expect(await login.noted(() => revoke(login)), covers).toEqual([expected]);
      // Again: the cut-off exists.
      expect(await login.noted(() => revoke(login)), covers).toEqual([expected, expected]);
    }
  });

  it('by a session that is not known here, name it', async () => {
    const { acting, now, noted } = await aLogin();
    expect(await noted(() => acting.revocations.revokeSession('elsewhere', now))).toEqual([
      ['tokens.revoked', 'revoked', { covers: 'session', sid: 'elsewhere', clients: {}, issued_until: now }],
    ]);
  });

  it('with their authorization, are one event', async () => {
    const { one, sql, now, noted } = await aLogin();
    await sql(`
      INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
        VALUES ('grant', 'client', 'alice', '{}', now());
      UPDATE access_token SET authorization_id = 'grant';
      UPDATE refresh_token SET authorization_id = 'grant'`);
    const grant = { covers: 'grant', client_id: 'client', sub: 'alice', grant_id: 'grant' };
    expect(await noted(() => one.providerRecords.authorizations.destroy('grant', now))).toEqual([
      ['tokens.revoked', 'revoked', grant],
    ]);
  });

  it('by a refresh token, are one event with those that were issued with it', async () => {
    const { one, sql, now, noted } = await aLogin();
    await sql(`
      INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
        VALUES ('grant', 'client', 'alice', '{}', now());
      UPDATE access_token SET authorization_id = 'grant';
      UPDATE refresh_token SET authorization_id = 'grant'`);
    const grant = { covers: 'grant', client_id: 'client', sub: 'alice', grant_id: 'grant' };
    expect(await noted(() => one.revocations.revokeRefreshToken([aDigest('refresh')], now))).toEqual([
      ['tokens.revoked', 'revoked', grant],
    ]);
  });

  it('have no event when they expire', async () => {
    const { one, now, noted, sql } = await aLogin();
    await sql('DELETE FROM session_client; UPDATE session SET subject = NULL; DELETE FROM change');
    expect(await noted(() => one.cleanUp({ now: later(now, 700) }))).toEqual([]);
    await sql(`INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
      VALUES (sha256('expired'), 'client', '', '{}', 'i', now(), now())`);
    expect(await noted(() => sql('DELETE FROM access_token'))).toEqual([]);
  });
});

type Login = Awaited<ReturnType<typeof aLogin>>;

describe('a client that ends', () => {
  const ended = (reason: string) => [['client.ended', reason, { client_id: 'client' }]];

  it('by deletion is one event, with everything issued to it', async () => {
    const { one, now, noted } = await aLogin();
    expect(await noted(() => one.clients.delete(CLIENT, now))).toEqual(ended('deleted'));
  });

  it('by plain SQL is an event too', async () => {
    const { sql, noted } = await aLogin();
    expect(await noted(() => sql(`DELETE FROM client WHERE id = 'client'`))).toEqual(ended('deleted'));
  });

  it('by its time says so, and that it was never used', async () => {
    const { one, sql, now, noted } = await aLogin();
    await sql(`UPDATE client SET expires_at = now() WHERE id = 'client'`);
    expect(await noted(() => one.cleanUp({ now: later(now, 60) }))).toEqual(ended('expired'));
    const unused = await aLogin();
    await unused.sql(
      `UPDATE client SET expires_at = now(), origin = 'open_registration', last_used_at = NULL WHERE id = 'client'`,
    );
    expect(await unused.noted(() => unused.one.cleanUp({ now: later(now, 60) }))).toEqual(ended('unused'));
  });

  it('by pruning was unused', async () => {
    const { one, sql, now, noted } = await aLogin();
    await sql('DELETE FROM access_token; DELETE FROM refresh_token; DELETE FROM change');
    const batch = { unusedSince: later(now, 60), origins: ['registration'], now, limit: 10 } as const;
    const changes = await noted(() => one.clients.deleteUnused(batch, 'service'));
    expect(changes).toHaveLength(2);
    for (const id of ['client', 'other'])
      expect(changes).toContainEqual(['client.ended', 'unused', { client_id: id }]);
  });

  it('by suspension says so, once', async () => {
    const { sql, noted } = await aLogin();
    const suspend = async () => {
      for (let time = 0; time < 2; time += 1)
        await sql(`UPDATE client SET status = 'suspended' WHERE id = 'client'`);
    };
    expect(await noted(suspend)).toEqual(ended('suspended'));
  });

  it('by suspension is resumed when it is active again', async () => {
    const { sql, noted } = await aLogin();
    const setStatus = (status: string) => sql(`UPDATE client SET status = '${status}' WHERE id = 'client'`);
    const resume = async () => {
      for (const status of ['pending', 'active', 'suspended', 'active', 'active']) await setStatus(status);
    };
    expect(await noted(resume)).toEqual([
      ...ended('suspended'),
      ['client.resumed', 'resumed', { client_id: 'client' }],
    ]);
  });
});

it.each([
  'session CASCADE',
  'session_client',
  'access_token',
  'refresh_token',
  '"authorization" CASCADE',
  'revocation_cutoff',
  'revoked_token',
  'client CASCADE',
])('tells readers to compare everything after TRUNCATE %s', async (table) => {
  const { sql, noted } = await aLogin();
  const changes = await noted(() => sql(`TRUNCATE ${table}`));
  expect(changes.length).toBeGreaterThan(0);
  for (const change of changes) expect(change).toEqual(['reset', 'truncated', {}]);
});

it('begins with a reset after TRUNCATE of the log itself', async () => {
  const { sql, one, noted } = await aLogin();
  await one.clients.delete(anId('other'), nowSeconds(systemClock));
  expect(await noted(() => sql('TRUNCATE change'))).toEqual([['reset', 'truncated', {}]]);
});

it('notes nothing of a transaction that is rolled back', async () => {
  const { sql, noted } = await aLogin();
  const attempt = async () => {
    await expect(sql(`DO $$ BEGIN DELETE FROM client; RAISE 'no'; END $$`)).rejects.toThrow('no');
  };
  expect(await noted(attempt)).toEqual([]);
});
