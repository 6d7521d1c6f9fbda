import { aClient, aClientId, anAccessToken } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole, type TestConsole } from '../../support/build-test-console.js';
import { readText, sentForm } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

async function consoleWithTokens() {
  const testConsole = await buildTestConsole();
  const { database, digester } = testConsole.store;
  await database.clients.create(aClient());
  for (const text of ['one', 'two'])
    await database.accessTokens.insert(digester.digest('access-token', text), anAccessToken());
  return testConsole;
}

const client = ({ store }: TestConsole) => store.database.clients.find(aClientId('client'));

describe('deleting a client', () => {
  const path = '/clients/client/delete';

  it('says what is deleted with it, and deletes it when its identifier was typed', async () => {
    const testConsole = await consoleWithTokens();
    const { get, post } = testConsole;
    const { text } = await get(path, 'admin');
    expect(readText(text)).toMatch(/Stored access tokens ?2/);
    const form = sentForm(text, path);
    for (const confirmation of ['', 'Client', 'client ']) {
      const refused = await post(path, { ...form, confirmation });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('id="confirmation-error"');
    }
    expect(await client(testConsole)).toBeDefined();
    const response = await post(path, { ...form, confirmation: 'client' });
    expect(response.status).toBe(303);
    expect(readText((await get(String(response.headers['location']))).text)).toContain(
      'The client was deleted.',
    );
    expect(await client(testConsole)).toBeUndefined();
    expect((await storedEvents(testConsole, 'client:client')).at(-1)).toMatchObject({
      action: 'client.deleted',
      actor: 'operator:a-admin',
    });
    expect((await post(path, { ...form, confirmation: 'client' })).status).toBe(404);
  });

  it('does nothing if the client has changed since', async () => {
    const testConsole = await consoleWithTokens();
    const form = sentForm((await testConsole.get(path, 'admin')).text, path);
    await testConsole.store.database.clients.replace({ client: aClient({ version: 2 }) });
    expect((await testConsole.post(path, { ...form, confirmation: 'client' })).status).toBe(409);
    expect(await client(testConsole)).toBeDefined();
  });
});

describe('revoking every token of a client', () => {
  const path = '/clients/client/revoke-tokens';

  it('ends its tokens when its identifier was typed, and keeps the client', async () => {
    const testConsole = await consoleWithTokens();
    const { get, post, store } = testConsole;
    const form = sentForm((await get(path, 'admin')).text, path);
    expect((await post(path, { ...form, confirmation: 'yes' })).status).toBe(400);
    expect(await store.database.clientHoldings(aClientId('client'))).toMatchObject({ accessTokens: 2 });
    const response = await post(path, { ...form, confirmation: 'client' });
    expect(response.status).toBe(303);
    expect(await store.database.clientHoldings(aClientId('client'))).toMatchObject({ accessTokens: 0 });
    expect(await client(testConsole)).toBeDefined();
    expect((await storedEvents(testConsole, 'client:client')).at(-1)).toMatchObject({
      action: 'tokens.revoked',
      actor: 'operator:a-admin',
    });
  });
});
