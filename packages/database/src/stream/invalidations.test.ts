import { cacheTag, digestTag, type Invalidation, jtiTag } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aClient, aDigest, after, anAccessToken, anId, NOW, twoProcesses } from '../testing/fixtures.js';
import { query } from '../testing/test-database.js';
import type { OpenInvalidationStream } from './invalidation-stream.js';

/** Current time of the database's clock, which decides what has expired. */
const REAL_NOW = Math.floor(Date.now() / 1000);
const live = { expiresAt: (REAL_NOW + 600) as typeof NOW };

/** A database with a client, which collects the tags of invalidation events during an operation. */
async function listening() {
  const processes = await twoProcesses();
  const { url, one, other } = processes;
  const heard: Invalidation[] = [];
  const stream = other.openInvalidationStream({
    monotonic: () => performance.now(),
    onProblem: () => undefined,
  });
  onTestFinished(stream.close);
  await started(stream, heard);
  await one.clients.create(aClient());
  const insert = (text: string, deviation = {}) =>
    one.accessTokens.insert(aDigest(text), anAccessToken({ ...live, ...deviation }));
  /** Returns the tags of the events during an operation; `all` for everything. */
  const during = async (operate: () => Promise<unknown>): Promise<readonly string[]> => {
    await vi.waitUntil(stream.catchUp, 60_000);
    heard.length = 0;
    await operate();
    await vi.waitUntil(stream.catchUp, 60_000);
    return [...new Set(heard.flatMap((invalidation) => tagsOf(invalidation)))].toSorted();
  };
  const sql = (statement: string, values: unknown[] = []) => query(url, statement, values);
  return { ...processes, heard, insert, during, sql };
}

function started(stream: OpenInvalidationStream, heard: Invalidation[]): Promise<void> {
  return new Promise((resolve) => {
    stream.subscribe({
      onStarted: resolve,
      onInvalidation: (invalidation) => heard.push(invalidation),
      onAdvanced: () => undefined,
      onLost: () => undefined,
    });
  });
}

function tagsOf(invalidation: Invalidation): readonly string[] {
  if (invalidation.kind === 'everything') return ['all'];
  return invalidation.kind === 'tokens' ? invalidation.digests : invalidation.tags;
}

const token = (text: string) => digestTag(aDigest(text));
const CLIENT = cacheTag('client', 'client');

describe('invalidation events of a commit, by any writer', () => {
  it('contain a token that is claimed or revoked itself, and by plain SQL', async () => {
    const { one, insert, during, sql } = await listening();
    for (const text of ['a', 'b', 'c', 'd']) await insert(text);
    expect(await during(() => one.accessTokens.claim([aDigest('a')], [anId('x')], NOW))).toEqual([
      token('a'),
    ]);
    expect(await during(() => one.revocations.revokeAccessToken([aDigest('b')]))).toEqual([token('b')]);
    expect(await during(() => sql(`DELETE FROM access_token WHERE digest = $1`, [aDigest('c')]))).toEqual([
      token('c'),
    ]);
    expect(await during(() => sql(`UPDATE access_token SET scope = ''`))).toEqual([token('d')]);
    expect(await during(() => one.revocations.revokeAccessToken([aDigest('unknown')]))).toEqual([]);
  });

  it('contain tokens that are deleted with their authorization, client, subject, session or refresh token', async () => {
    const { one, insert, during, sql } = await listening();
    const authorized = async (id: string) => {
      await sql(
        `INSERT INTO "authorization" (id, client_id, subject, payload, created_at)
         VALUES ($1, 'client', 'alice', '{}', now())`,
        [id],
      );
      await insert(id, { authorizationId: id, subject: 'alice', sessionId: 'session' });
    };
    await authorized('a');
    expect(await during(() => sql(`DELETE FROM "authorization" WHERE id = 'a'`))).toEqual([token('a')]);
    await authorized('b');
    await sql(
      `INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at, authorization_id)
       VALUES ($1, 'client', '', now(), now(), 'b')`,
      [aDigest('r')],
    );
    expect(await during(() => one.revocations.revokeRefreshToken([aDigest('r')], NOW))).toEqual([token('b')]);
    await authorized('c');
    expect(await during(() => one.revocations.revokeSession('session', NOW))).toEqual(
      [token('c'), cacheTag('session', 'session')].toSorted(),
    );
    await authorized('d');
    expect(await during(() => one.revocations.revokeSubject('alice', NOW))).toEqual(
      [token('d'), cacheTag('subject', 'alice')].toSorted(),
    );
    await authorized('e');
    expect(await during(() => one.revocations.revokeClient(anId('client'), NOW))).toEqual(
      [token('e'), CLIENT].toSorted(),
    );
    await authorized('f');
    expect(await during(() => sql('DELETE FROM client'))).toEqual([token('f'), CLIENT].toSorted());
  });

  it('contain revoked self-contained tokens and issuers, whatever their names', async () => {
    const { one, during } = await listening();
    for (const name of ['j', 'Ä "quoted" \\ line\nbreak', 'x'.repeat(20_000), '💧'.repeat(300)]) {
      const issuer = `https://as.example/${name}`;
      expect(
        await during(() => one.revocations.revokeSelfContained('i', name.slice(0, 500), after(9), NOW)),
      ).toEqual([jtiTag('i', name.slice(0, 500))]);
      if (name.length < 2_000)
        expect(await during(() => one.revocations.revokeIssuer(issuer, NOW))).toEqual([
          cacheTag('issuer', issuer),
        ]);
    }
    expect(jtiTag('a', 'bc')).not.toBe(jtiTag('ab', 'c'));
  });

  it('contain a client whose scopes, credentials, status or expiry change, or that is deleted, but not its uses', async () => {
    const { one, during, sql } = await listening();
    const changes = [
      `UPDATE client SET status = 'pending'`,
      `UPDATE client SET status = 'suspended'`,
      `UPDATE client SET expires_at = now()`,
      `UPDATE client SET metadata = '{"scope":"x"}'`,
      `UPDATE client SET secret_digest = sha256('a'), secret_sealed = 'x'`,
      `UPDATE client SET secret_expires_at = now()`,
      `UPDATE client SET id = 'renamed'`,
    ];
    for (const change of changes) expect(await during(() => sql(change)), change).toEqual([CLIENT]);
    const uses = [`UPDATE client SET last_used_at = now()`, `UPDATE client SET status = status`];
    for (const use of uses) expect(await during(() => sql(use)), use).toEqual([]);
    expect(await during(() => one.clients.create(aClient()))).toEqual([]);
    expect(await during(() => one.clients.delete(anId('renamed'), NOW))).toEqual([
      cacheTag('client', 'renamed'),
    ]);
  });

  it('contain each of many clients that change at once, and no unchanged client', async () => {
    const { during, sql } = await listening();
    await sql(`INSERT INTO client (id, metadata, rights, issued_at, updated_at)
      SELECT 'c' || n, '{}', '', now(), now() FROM generate_series(1, 400) n`);
    const tags = Array.from({ length: 200 }, (_, index) => cacheTag('client', `c${2 * index + 2}`));
    const change = `UPDATE client SET status = CASE WHEN right(id, 1) IN ('0', '2', '4', '6', '8')
      THEN 'pending' ELSE status END`;
    expect(await during(() => sql(change))).toEqual(tags.toSorted());
    expect(await during(() => sql(change))).toEqual([]);
  });

  it('contain the signing keys as a whole', async () => {
    const { during, sql } = await listening();
    const changes = [
      `INSERT INTO signing_key (kid, key_set, use, algorithm, state, public_jwk, private_jwk_sealed, created_at)
       VALUES ('k', 'provider', 'sig', 'ES256', 'active', '{}', '', now())`,
      `UPDATE signing_key SET state = 'retired'`,
      'DELETE FROM signing_key',
    ];
    for (const change of changes)
      expect(await during(() => sql(change))).toEqual([cacheTag('signing-keys', '')]);
  });

  it('contain the data keys as a whole', async () => {
    const { during, sql } = await listening();
    const changes = [
      `INSERT INTO data_key (id, purpose, state, wrapped, key_encryption_key_id, created_at)
       VALUES ('k', 'digest', 'pending', '', '', now())`,
      `UPDATE data_key SET state = 'retired'`,
      'DELETE FROM data_key',
    ];
    for (const change of changes)
      expect(await during(() => sql(change))).toEqual([cacheTag('data-keys', '')]);
  });

  it('contain everything when tables are emptied or very many tokens are deleted at once', async () => {
    const { during, sql } = await listening();
    expect(await during(() => sql('TRUNCATE access_token'))).toContain('all');
    expect(await during(() => sql('TRUNCATE client CASCADE'))).toContain('all');
    await sql(`INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ('c', '{}', '', now(), now());
      INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
      SELECT sha256(n::text::bytea), 'c', '', '{}', '', now(), now() + interval '1 hour'
      FROM generate_series(1, 30000) n;
      ANALYZE access_token`);
    // With the statistics of an empty table, each deleted row would read the other rows again.
    const some = `SELECT digest FROM access_token LIMIT`;
    const tags = await during(() => sql(`DELETE FROM access_token WHERE digest IN (${some} 5000)`));
    expect(new Set(tags).size).toBe(5_000);
    expect(await during(() => sql('DELETE FROM access_token'))).toContain('all');
  });

  it('contain everything, once, when very many clients change in one transaction', async () => {
    const { during, heard, sql } = await listening();
    await sql(`INSERT INTO client (id, metadata, rights, issued_at, updated_at)
      SELECT 'c' || n, '{}', '', now(), now() FROM generate_series(1, 30000) n`);
    expect(await during(() => sql(`UPDATE client SET status = 'pending'`))).toEqual(['all']);
    expect(heard).toHaveLength(1);
  });

  it('contain changes of a session that has disabled ordinary triggers', async () => {
    const { insert, during, sql } = await listening();
    await insert('a');
    expect(
      await during(() =>
        sql('BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM access_token; COMMIT'),
      ),
    ).toEqual([token('a')]);
    expect(
      await during(() =>
        sql(
          `BEGIN; SET LOCAL session_replication_role = replica; UPDATE client SET status = 'pending'; COMMIT`,
        ),
      ),
    ).toEqual([CLIENT]);
  });

  it('contain nothing for changes that are rolled back, and nothing when expired rows are cleaned up', async () => {
    const { one, insert, during, sql } = await listening();
    await insert('a');
    expect(await during(() => sql('BEGIN; DELETE FROM access_token; ROLLBACK'))).toEqual([]);
    for (let index = 0; index < 50; index += 1) await insert(`old ${index}`, { expiresAt: NOW });
    expect(await during(() => one.cleanUp({ now: NOW }))).toEqual([]);
    expect(await one.accessTokens.find([aDigest('a')])).toBeDefined();
  });
});
