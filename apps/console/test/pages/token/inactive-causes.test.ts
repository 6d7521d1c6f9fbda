import { foreignSql } from '@vestibule/local-services/testing';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { shownPage } from '../../support/shown-page.js';
import { aTokenConsole } from './token-console.js';

/** A console with tokens, and what its page says about one. */
async function anExplainingConsole() {
  const built = await aTokenConsole({}, { isStoreFrozen: true });
  const sql = await foreignSql(built.databaseUrl);
  const explained = async (token: string) => shownPage(await built.post('/token', { token }, 'viewer')).text;
  return { ...built, sql, explained };
}

const SET_STATUS = 'UPDATE client SET status = $2::client_status WHERE id = $1';

describe.each(['identifier', 'jwt'] as const)('a token (%s)', (format) => {
  it.each([
    ['suspended', 'Its client is suspended: none of its tokens is active'],
    ['pending', 'Its client is waiting for approval.'],
  ])(
    'whose client is %s says so, also for a caller, and is active again afterwards',
    async (status, sentence) => {
      const built = await anExplainingConsole();
      const token = await built[format]();
      await built.sql(SET_STATUS, ['client', status]);
      const text = await built.explained(token);
      expect(text).toContain(`State not active Why not ${sentence}`);
      expect(text).not.toContain('There is no such access token');
      expect(text).toContain('alice');
      expect(shownPage(await built.asCaller(token, 'api')).text).toContain(
        `For api : Response not active Why ${sentence}`,
      );
      await built.sql(SET_STATUS, ['client', 'active']);
      expect(await built.explained(token)).toContain('State active');
    },
  );

  it('that was revoked by itself says when and, if that is recorded, by whom', async () => {
    const built = await anExplainingConsole();
    const token = await built[format]();
    await built.post('/token/revoke', {
      encrypted: await built.encrypted(token),
      confirmation: 'client',
    });
    const text = await built.explained(token);
    expect(text).toMatch(/Why not The token itself was revoked. \( \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    expect(text).toContain('operator:a-admin )');
  });

  it('that has expired says so', async () => {
    const built = await anExplainingConsole();
    const token = await built[format]();
    built.clock.advanceSeconds(600);
    expect(await built.explained(token)).toContain('Why not It has expired.');
    await built.sql(SET_STATUS, ['client', 'suspended']);
    expect(await built.explained(token)).toContain('Why not It has expired.');
  });
});

describe('a self-contained token', () => {
  it('names everything that revokes it', async () => {
    const built = await anExplainingConsole();
    const { revocations } = built.store.database;
    const token = await built.jwt({ sessionId: 'sid-1' });
    const now = nowSeconds(built.store.clock);
    await revocations.revokeSubject('alice', now);
    await revocations.revokeSession('sid-1', now);
    await revocations.revokeIssuer('https://as.example', now);
    const text = await built.explained(token);
    for (const sentence of [
      'All tokens of its end-user were revoked.',
      'All tokens of its session were revoked.',
      'All tokens that its issuer had issued until then were revoked.',
    ])
      expect(text).toContain(sentence);
    expect(text).not.toContain('All tokens of its client were revoked.');
  });

  it('says that its session has ended, or that its client is gone', async () => {
    const built = await anExplainingConsole();
    const { providerRecords, clients } = built.store.database;
    const now = nowSeconds(built.store.clock);
    const token = await built.jwt({ sessionId: 'sid-1' });
    const digest = built.store.digester.digest('session-cookie', 's1');
    await providerRecords.sessions.save(
      {
        id: 's1',
        cookieDigest: digest,
        subject: 'alice',
        payload: {},
        expiresAt: epochSeconds(now + 900),
        clients: [{ clientId: aClientId('client'), sid: 'sid-1' }],
      },
      now,
    );
    await providerRecords.sessions.end('s1', now);
    expect(await built.explained(token)).toContain('Why not Its session has ended.');
    const client = await clients.find(aClientId('client'));
    if (client === undefined) throw new TypeError('there is no client');
    await clients.delete(client.id, now);
    expect(await built.explained(token)).toContain('Its client is not registered');
  });
});

describe('a text that is another token', () => {
  it('is a refresh token, or one that another server sent and that has ended since', async () => {
    const built = await anExplainingConsole();
    const { digester, clock } = built.store;
    const text = 'r'.repeat(43);
    const insert = `INSERT INTO refresh_token (digest, client_id, scope, issued_at, expires_at)
      VALUES ($1, 'client', '', now(), now())`;
    await built.sql(insert, [digester.digest('refresh-token', text)]);
    expect(await built.explained(text)).toContain(
      'Why not It is a refresh token, which is not introspected.',
    );
    const imported = 'i'.repeat(43);
    const add = `INSERT INTO imported_token (digest, facts, expires_at) VALUES ($1, $2, to_timestamp($3))`;
    await built.sql(add, [
      digester.digest('access-token', imported),
      Buffer.from('facts'),
      nowSeconds(clock) + 60,
    ]);
    expect(await built.explained(imported)).toContain('Why not Another server sent it here. Since then');
    built.clock.advanceSeconds(60);
    expect(await built.explained(imported)).toContain('Another server sent it here, and it has expired.');
  });

  it('is an initial access token, with what is left of it', async () => {
    const built = await anExplainingConsole();
    const text = 'n'.repeat(43);
    const digest = built.store.digester.digest('initial-access-token', text);
    const insert = `INSERT INTO initial_access_token (digest, scope, audience, issued_at, expires_at, uses_left)
      VALUES ($1, '', '{}', to_timestamp($2), to_timestamp($2), 1)`;
    await built.sql(insert, [digest, nowSeconds(built.store.clock) + 60]);
    expect(await built.explained(text)).toContain(
      'It is an initial access token, which is not introspected.',
    );
    await built.sql('UPDATE initial_access_token SET uses_left = 0');
    expect(await built.explained(text)).toContain('whose uses are used up');
    await built.sql('UPDATE initial_access_token SET uses_left = 1');
    built.clock.advanceSeconds(60);
    expect(await built.explained(text)).toContain('It is an initial access token, which has expired.');
  });

  it('stays unknown if nothing is stored about it', async () => {
    const built = await anExplainingConsole();
    expect(await built.explained('u'.repeat(43))).toContain('Why not There is no such access token');
    await built.post('/token/revoke', {
      encrypted: await built.encrypted('u'.repeat(43)),
      confirmation: 'revoke',
    });
    expect(await built.explained('u'.repeat(43))).toContain(
      'It was revoked before another server sent it here',
    );
  });
});
