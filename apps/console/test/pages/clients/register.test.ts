import { aClientId, TEST_NOW } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { readText, sentForm } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';

const PATH = '/clients/-/register';

describe('registering a client', () => {
  it('shows in a dry run what would be registered, then registers it and shows its credentials once', async () => {
    const testConsole = await buildTestConsole();
    const { get, post, store } = testConsole;
    const form = {
      ...sentForm((await get(PATH, 'operator')).text, PATH),
      client_name: 'Shop',
      redirect_uris: 'https://shop.example/cb',
    };
    const checked = await post(PATH, { ...form, step: 'check' }, 'operator');
    expect(checked.status).toBe(200);
    expect(readText(checked.text)).toMatch(/What would be registered.*authorization_code/);
    expect((await store.database.clients.page({}, 5)).clients).toEqual([]);
    const { status, text } = await post(PATH, sentForm(checked.text, PATH), 'operator');
    expect(status).toBe(200);
    const [client] = (await store.database.clients.page({}, 5)).clients;
    expect(client).toMatchObject({ metadata: { client_name: 'Shop' }, registrar: 'master_token' });
    const shown = [...text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, value]) => value ?? '');
    const { secret, registrationToken } = client ?? {};
    for (const [kind, digest] of [
      ['client-secret', secret?.digest],
      ['registration-access-token', registrationToken?.digest],
    ] as const)
      expect(shown.some((value) => digest !== undefined && store.digester.matches(kind, value, digest))).toBe(
        true,
      );
    const events = await storedEvents(testConsole, `client:${client?.id}`);
    expect(events).toMatchObject([{ action: 'client.registered', actor: 'operator:a-operator' }]);
  });

  it('takes an identifier from the JSON, and says if it is taken', async () => {
    const { post, store } = await buildTestConsole();
    const form = {
      redirect_uris: 'https://shop.example/cb',
      rest: '{"preferred_client_id": "shop", "data": {"tier": "gold"}}',
    };
    expect((await post(PATH, form, 'admin')).status).toBe(200);
    expect(await store.database.clients.find(aClientId('shop'))).toMatchObject({ data: { tier: 'gold' } });
    for (const step of ['check', 'save']) {
      const { status, text } = await post(PATH, { ...form, step }, 'admin');
      expect(status).toBe(400);
      expect(text).toContain('id="rest-error"');
      expect(sentForm(text, PATH)['rest']).toBe(form.rest);
    }
  });

  it.each(['preferred_client_id', 'preferred_client_secret'])(
    'lets only an admin choose %s',
    async (name) => {
      const { post, refused, store } = await buildTestConsole();
      const rest = JSON.stringify({ [name]: 'chosen-value-of-more-than-forty-three-characters' });
      const form = { redirect_uris: 'https://shop.example/cb', rest };
      expect((await post(PATH, form, 'operator')).status).toBe(403);
      expect(refused).toMatchObject([{ operator: { role: 'operator' }, required: 'admin' }]);
      expect((await store.database.clients.page({}, 5)).clients).toEqual([]);
    },
  );

  it('shows what is wrong beside the field, and is refused to a viewer', async () => {
    const { get, post, refused, store } = await buildTestConsole();
    const wrong = await post(PATH, { redirect_uris: 'nowhere' }, 'operator');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="redirect_uris-error"');
    expect((await post(PATH, {}, 'viewer')).status).toBe(403);
    expect((await get(PATH, 'viewer')).status).toBe(403);
    expect(refused).toHaveLength(2);
    expect((await store.database.clients.page({}, 5)).clients).toEqual([]);
  });

  it('lists blocks', async () => {
    const { get, store } = await buildTestConsole();
    expect(readText((await get('/clients/-/blocks')).text)).toContain('Nothing is blocked.');
    await store.database.clientBlocks.add([{ kind: 'host', value: 'spam.example' }], 'sends <spam>', {
      actor: 'service',
      now: TEST_NOW,
    });
    expect(readText((await get('/clients/-/blocks')).text)).toMatch(/spam\.example.*sends <spam>/);
  });
});
