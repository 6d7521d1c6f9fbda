import { createHash } from 'node:crypto';
import type { Client } from '@vestibule/clients';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import {
  aClient,
  aDigest,
  after,
  anAccessToken,
  anId,
  anInitialToken,
  NOW,
  twoProcesses,
} from '../testing/fixtures.js';
import { countRows, query, whileChanging } from '../testing/test-database.js';

interface EventRow {
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly details: unknown;
}

/** Reads all events in the order in which they were recorded. */
function events(url: string): Promise<EventRow[]> {
  return query<EventRow>(
    url,
    `SELECT occurred_at AS at, actor, action, target, encode(before_digest, 'hex') AS before,
      encode(after_digest, 'hex') AS after, details FROM audit_event ORDER BY id`,
  );
}

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/);
const TOKEN = `initial_access_token:${Buffer.from(aDigest('initial')).toString('hex').slice(0, 8)}`;
const consuming = { digests: [aDigest('other'), aDigest('initial')], now: NOW };

describe('clients', () => {
  it('records each change in its own statement: the actor, the action, and the states before and after', async () => {
    const { url, one } = await twoProcesses();
    const registered = aClient();
    await one.clients.create(registered, { actor: 'anonymous' });
    const updated = aClient({ version: 2, updatedAt: after(10), data: { secret: 'of the registrant' } });
    await one.clients.replace({ client: updated, actor: 'registration_access_token' });
    const renewed = { ...updated, version: 3, updatedAt: after(20) };
    await one.clients.replace({ client: renewed, actor: 'master', action: 'client.secret_renewed' });
    await one.clients.delete(registered.id, after(30), { actor: 'operator:ada' });
    const found = await events(url);
    const target = 'client:client';
    const [first, second] = found.map((event) => event.after);
    expect(found).toEqual([
      {
        at: new Date(NOW * 1000),
        actor: 'anonymous',
        action: 'client.registered',
        target,
        before: null,
        after: DIGEST,
        details: null,
      },
      {
        at: new Date(after(10) * 1000),
        actor: 'registration_access_token',
        action: 'client.updated',
        target,
        before: first,
        after: DIGEST,
        details: { changes: { data: {} } },
      },
      {
        at: new Date(after(20) * 1000),
        actor: 'master',
        action: 'client.secret_renewed',
        target,
        before: second,
        after: second,
        details: null,
      },
      {
        at: new Date(after(30) * 1000),
        actor: 'operator:ada',
        action: 'client.deleted',
        target,
        before: second,
        after: null,
        details: null,
      },
    ]);
    expect(first).not.toBe(second);
    expect(JSON.stringify(found)).not.toContain('registrant');
  });

  it('records the members that differ with both values, and of data, contacts and long values only the names', async () => {
    const { url, one } = await twoProcesses();
    const metadata = { client_name: 'A client', scope: 'read' } as unknown as Client['metadata'];
    const client = aClient({ metadata });
    await one.clients.create(client);
    const changed = {
      client_name: 'Shop',
      contacts: ['alice@shop.example'],
      jwks: { keys: [{ kid: 'k'.repeat(3_000) }] },
      default_acr_values: [null, { a: null }],
    } as unknown as typeof client.metadata;
    const next = { ...client, metadata: changed, data: { secret: 'of the registrant' }, version: 2 };
    await one.clients.replace({ client: next });
    await one.clients.replace({
      client: { ...next, status: 'suspended', version: 3 },
      action: 'client.suspended',
    });
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`m${index}`, 'x'.repeat(1_000)]),
    );
    await one.clients.replace({
      client: { ...next, metadata: { ...changed, ...many } as typeof changed, version: 4 },
    });
    const [, first, second, third] = (await events(url)).map(({ details }) => details);
    expect(first).toEqual({
      changes: {
        client_name: { before: 'A client', after: 'Shop' },
        scope: { before: 'read' },
        contacts: {},
        data: {},
        jwks: {},
        default_acr_values: { after: [null, { a: null }] },
      },
    });
    expect(second).toBeNull();
    expect(third).toEqual({ changes: Object.fromEntries(Object.keys(many).map((name) => [name, {}])) });
  });

  it('gives equal states equal digests, independent of the order of members', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient({ id: anId('one'), data: { a: 1, b: { c: 2, d: 3 } } }));
    await one.clients.create(aClient({ id: anId('other'), data: { b: { d: 3, c: 2 }, a: 1 } }));
    await one.clients.create(aClient({ id: anId('third'), data: { b: { d: 3, c: 2 }, a: 2 } }));
    const [first, second, third] = (await events(url)).map((event) => event.after);
    expect(first).toBe(second);
    expect(third).not.toBe(second);
  });

  it('records an initial access token by the beginning of its digest when it is issued, consumed and revoked', async () => {
    const { url, one } = await twoProcesses();
    const clock = frozenClock((NOW + 40) * 1000);
    const { initialAccessTokens } = one.actingAs({ actor: 'master', clock });
    await initialAccessTokens.insert(anInitialToken({ usesLeft: 2, label: 'for the shop' }));
    await one.clients.create(aClient(), { consuming, actor: 'anonymous' });
    await initialAccessTokens.delete([aDigest('initial')]);
    const found = await events(url);
    // The events of one statement have no order.
    expect(
      found.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.action < b.action ? -1 : 1)),
    ).toMatchObject([
      { actor: TOKEN, action: 'client.registered', target: 'client:client' },
      {
        actor: 'master',
        action: 'initial_access_token.issued',
        target: TOKEN,
        details: { uses: 2, label: 'for the shop' },
      },
      {
        actor: TOKEN,
        action: 'initial_access_token.spent',
        target: TOKEN,
        details: { client_id: 'client' },
      },
      {
        at: new Date((NOW + 40) * 1000),
        actor: 'master',
        action: 'initial_access_token.revoked',
        target: TOKEN,
      },
    ]);
  });

  // Every event needs a change, and every change an event.
  it('records nothing for changes that did not happen', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    await one.clients.create(aClient());
    await one.clients.create(aClient({ id: anId('other') }), { consuming });
    await one.clients.replace({ client: aClient({ version: 7 }) });
    await one.clients.delete(anId('unknown'), NOW);
    await one.initialAccessTokens.delete([aDigest('initial')]);
    expect((await events(url)).map(({ action }) => action)).toEqual(['client.registered']);
  });

  it('records the state that an update replaced, even if it waited for another change of the row', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    const { result } = await whileChanging(
      url,
      `UPDATE client SET last_used_at = now(), status = 'pending'`,
      () => one.clients.replace({ client: aClient({ version: 2, data: { a: 1 } }) }),
    );
    expect(await result).toBe(true);
    const [registered, updated] = await events(url);
    const [pending] = await query<{ state: string }>(
      url,
      `SELECT encode(sha256(convert_to(jsonb_build_array(metadata, NULL, rights, 'pending')::text, 'UTF8')), 'hex') AS state
        FROM client`,
    );
    expect(updated?.before).toBe(pending?.state);
    expect(updated?.before).not.toBe(registered?.after);
  });

  it('records the deletion of an expired client', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient({ expiresAt: after(-1) }));
    await one.cleanUp({ now: NOW });
    expect((await events(url)).at(-1)).toMatchObject({ actor: 'service', action: 'client.expired' });
    expect(await countRows(url, 'client')).toBe(0);
  });
});

describe('revocations', () => {
  it('records revocations with their actor, and with digests in place of tokens, end-users and sessions', async () => {
    const { url, one } = await twoProcesses();
    await one.clients.create(aClient());
    await one.accessTokens.insert(aDigest('access'), anAccessToken());
    const { revocations } = one.actingAs({ actor: 'master', clock: frozenClock(NOW * 1000) });
    await revocations.revokeAccessToken([aDigest('access')]);
    await revocations.revokeAccessToken([aDigest('access')]);
    await revocations.revokeRefreshToken([aDigest('none')], NOW);
    await revocations.revokeSelfContained('https://as.example', 'the-jti', after(60), NOW);
    await revocations.revokeClient(anId('client'), NOW);
    await revocations.revokeSubject('alice@example.org', NOW);
    await revocations.revokeSession('the-sid', NOW);
    await revocations.revokeIssuer('https://as.example', NOW);
    const found = (await events(url)).slice(1);
    expect(found.map(({ action, target }) => [action, target])).toEqual([
      ['token.revoked', `access_token:${Buffer.from(aDigest('access')).toString('hex').slice(0, 8)}`],
      ['token.revoked', 'access_token:the-jti'],
      ['tokens.revoked', 'client:client'],
      ['tokens.revoked', `subject:${shortDigest('alice@example.org')}`],
      ['tokens.revoked', `session:${shortDigest('the-sid')}`],
      ['tokens.revoked', 'issuer:https://as.example'],
    ]);
    expect(found.every(({ actor, at }) => actor === 'master' && at.getTime() === NOW * 1000)).toBe(true);
    expect(await countRows(url, 'access_token')).toBe(0);
    expect(await countRows(url, 'revocation_cutoff')).toBe(4);
  });

  it('records nothing without an author', async () => {
    const { url, one } = await twoProcesses();
    await one.revocations.revokeSubject('alice', NOW);
    expect(await events(url)).toEqual([]);
  });
});

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
