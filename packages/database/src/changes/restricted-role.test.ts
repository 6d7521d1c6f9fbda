import { randomBytes } from 'node:crypto';
import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { cacheTag, type Invalidation } from '@vestibule/tokens/cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aReader, everyChange, recorded, said } from '../testing/changes.js';
import { aClient, aDigest, anAccessToken, anId, opened, twoProcesses } from '../testing/fixtures.js';
import { query, queryInOwnSession } from '../testing/test-database.js';

/** The rights that the role of the services has (docker/README.md#kubernetes), here on tables that exist. */
const RIGHTS = (role: string) => `
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role};`;

/** A process of a role with these rights, and one of the owner of the tables. */
async function twoRoles() {
  const { url, one: owner } = await twoProcesses();
  const role = `role_${randomBytes(4).toString('hex')}`;
  await query(url, `CREATE ROLE ${role} LOGIN PASSWORD 'p'; ${RIGHTS(role)}`);
  onTestFinished(async () => void (await query(url, `DROP OWNED BY ${role}; DROP ROLE ${role}`)));
  const restrictedUrl = Object.assign(new URL(url), { username: role, password: 'p' }).href;
  return { url, role, owner, service: opened({ url: restrictedUrl }), restrictedUrl };
}

describe('a role that may only read and write rows', () => {
  it('reads changes, which its own statements record', async () => {
    const { service } = await twoRoles();
    const now = nowSeconds(systemClock);
    const times = { issuedAt: now, expiresAt: epochSeconds(now + 600) };
    const reader = aReader(service, {});
    expect(await reader.next()).toMatchObject({ type: 'reset', reason: 'no_position' });
    await service.clients.create(aClient());
    await service.accessTokens.insert(aDigest('token'), anAccessToken(times));
    await service.revocations.revokeAccessToken([aDigest('token')]);
    await service.revocations.revokeSubject('alice', now);
    await service.clients.delete(anId('client'), now);
    const seen = [await reader.next(), await reader.next(), await reader.next()];
    expect(seen.map(({ members }) => members['covers'] ?? members)).toEqual([
      'token',
      'subject',
      { client_id: 'client' },
    ]);
    expect((await service.cleanUp({ now })).change).toBe(0);
  });

  it('records with rights to delete alone', async () => {
    const { url, role, owner, restrictedUrl } = await twoRoles();
    await recorded(owner);
    await owner.clients.create(aClient());
    await query(url, `REVOKE ALL ON change, change_use FROM ${role}`);
    await query(restrictedUrl, `DELETE FROM client WHERE id = 'client'`);
    const [, ...changes] = await everyChange(owner);
    expect(changes.map(said)).toEqual([['client.ended', 'deleted', { client_id: 'client' }]]);
  });

  it('invalidates cached states with rights to delete and update alone, and reads invalidation events', async () => {
    const { url, role, owner, service, restrictedUrl } = await twoRoles();
    await query(url, `REVOKE ALL ON invalidation_event, invalidation_epoch FROM ${role}`);
    await owner.clients.create(aClient());
    const heard: Invalidation[] = [];
    const stream = owner.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
    });
    onTestFinished(stream.close);
    stream.subscribe({
      onStarted: () => undefined,
      onInvalidation: (invalidation) => heard.push(invalidation),
      onAdvanced: () => undefined,
      onLost: () => undefined,
    });
    await vi.waitUntil(stream.catchUp, 60_000);
    const client = { kind: 'entities', tags: [cacheTag('client', 'client')] };
    const statements = `CREATE TEMPORARY TABLE invalidation_event (kind text, tags text[]);
      GRANT ALL ON pg_temp.invalidation_event TO PUBLIC;`;
    await queryInOwnSession(restrictedUrl, `${statements} UPDATE client SET status = 'suspended'`);
    await vi.waitUntil(stream.catchUp, 60_000);
    expect(heard).toMatchObject([client]);
    await queryInOwnSession(restrictedUrl, `${statements} DELETE FROM client`);
    await vi.waitUntil(stream.catchUp, 60_000);
    expect(heard).toMatchObject([client, client]);
    await query(url, RIGHTS(role));
    const own = service.openInvalidationStream({
      monotonic: () => performance.now(),
      onProblem: () => undefined,
    });
    onTestFinished(own.close);
    await vi.waitUntil(own.catchUp, 60_000);
  });

  it('takes the log of another role for the same one, without the right to read the state of the server', async () => {
    const { url, owner, service } = await twoRoles();
    onTestFinished(
      async () => void (await query(url, 'GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC')),
    );
    await query(url, 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC');
    const { lastEventId } = await recorded(owner);
    await owner.clients.create(aClient());
    const reader = aReader(service, { lastEventId });
    expect(await reader.available()).toEqual([]);
    await owner.clients.delete(anId('client'), nowSeconds(systemClock));
    expect((await service.cleanUp({ now: nowSeconds(systemClock) })).change).toBe(0);
    expect(said(await reader.next())).toEqual(['client.ended', 'deleted', { client_id: 'client' }]);
  });

  it('cannot register a blocked client, without the right to read the blocks or with a table in their place', async () => {
    const { url, role, owner, restrictedUrl } = await twoRoles();
    const change = { actor: 'operator:jane', now: nowSeconds(systemClock) } as const;
    await owner.clientBlocks.add([{ kind: 'software_id', value: 'bad' }], undefined, change);
    const insert = (id: string) => `INSERT INTO client (id, metadata, rights, issued_at, updated_at)
      VALUES ('${id}', '{"software_id": "${id}"}', '', now(), now());`;
    const shadow = `CREATE TEMPORARY TABLE client_block (kind client_block_kind, value text);
      GRANT ALL ON pg_temp.client_block TO PUBLIC;`;
    await expect(queryInOwnSession(restrictedUrl, shadow + insert('bad'))).rejects.toThrow(
      'the client is blocked',
    );
    await query(url, `REVOKE ALL ON client_block FROM ${role}`);
    await expect(query(restrictedUrl, insert('bad'))).rejects.toThrow('the client is blocked');
    await query(restrictedUrl, insert('good'));
  });

  it('cannot put temporary tables in place of those of triggers, which have the rights of the owner', async () => {
    const { url, owner, restrictedUrl } = await twoRoles();
    await recorded(owner);
    await owner.clients.create(aClient());
    const statements = `
      CREATE FUNCTION pg_temp.who() RETURNS text LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'ran as %', current_user; END $$;
      CREATE TEMPORARY TABLE change ("type" text, reason text, members jsonb, who text DEFAULT pg_temp.who());
      CREATE TEMPORARY TABLE client (id text);
      CREATE TEMPORARY TABLE change_use (until timestamptz);
      GRANT ALL ON pg_temp.change, pg_temp.client, pg_temp.change_use TO PUBLIC;
      DELETE FROM public.client WHERE id = 'client'`;
    await queryInOwnSession(restrictedUrl, statements);
    const [, ...changes] = await everyChange(owner);
    expect(changes.map(said)).toEqual([['client.ended', 'deleted', { client_id: 'client' }]]);
    const open = await query(
      url,
      `SELECT proname FROM pg_proc WHERE prosecdef AND proname LIKE 'vestibule%'
        AND NOT coalesce(proconfig::text LIKE '%public, pg_temp%', false)`,
    );
    expect(open).toEqual([]);
  });

  it.each([
    `SELECT vestibule_note_change('client.ended', 'deleted', '{}')`,
    `SELECT vestibule_sids_of_session('session')`,
    'SELECT vestibule_is_change_used()',
    ...['session', 'session_client', 'client', 'cutoff', 'tokens', 'authorizations', 'revoked_tokens'].map(
      (name) => `CREATE TEMPORARY TABLE own (id text);
        CREATE TRIGGER forged BEFORE DELETE ON own FOR EACH ROW EXECUTE FUNCTION vestibule_note_${name}()`,
    ),
    `CREATE TEMPORARY TABLE own (id text);
      CREATE TRIGGER forged AFTER TRUNCATE ON own EXECUTE FUNCTION vestibule_note_truncation()`,
    `CREATE TEMPORARY TABLE own (id text);
      CREATE TRIGGER forged AFTER UPDATE ON own FOR EACH ROW EXECUTE FUNCTION vestibule_note_resumption()`,
    ...[
      'changes',
      'all',
      'access_tokens',
      'revoked_tokens',
      'cutoffs',
      'client_change',
      'clients_gone',
      'data_keys',
    ].map(
      (name) => `CREATE TEMPORARY TABLE own (id text);
        CREATE TRIGGER forged AFTER INSERT ON own EXECUTE FUNCTION vestibule_announce_${name}()`,
    ),
  ])('cannot call what the triggers share: %s', async (statement) => {
    const { restrictedUrl } = await twoRoles();
    await expect(query(restrictedUrl, statement)).rejects.toThrow(
      /permission denied for function vestibule_/,
    );
  });
});
