import { describe, expect, it } from 'vitest';
import { formOf, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { anEndUsersConsole } from './end-users-console.js';

/** A console with a notification that was given up, of alice, and one that waits, of bob. */
async function withDeliveries() {
  const built = await anEndUsersConsole();
  const end = async (id: string, subject: string) => {
    await built.login(id, subject);
    await built.post('/end-users/session/end', { session: id, confirmation: subject }, 'operator');
  };
  await end('of-alice', 'alice');
  await built.giveUp();
  await end('of-bob', 'bob');
  return built;
}

const rows = (text: string) =>
  [...text.matchAll(/ back (pending|dead|delivered) /g)].map(([, state]) => state);

describe('the list of notifications', () => {
  it('shows state, reason and address without its query, the latest first', async () => {
    const { get } = await withDeliveries();
    const response = await get('/end-users/deliveries');
    const { text } = shownPage(response);
    expect(rows(text)).toEqual(['pending', 'dead']);
    expect(text).toMatch(/dead the application did not respond in time 1 .*https:\/\/back.example\/out/);
    expect(response.text).not.toContain('confidential');
  });

  it.each([
    ['state=dead', ['dead']],
    ['state=delivered', []],
    ['state=', ['pending', 'dead']],
    ['client_id=back', ['pending', 'dead']],
    ['client_id=front', []],
    ['subject=alice', ['dead']],
    ['session=of-bob', ['pending']],
    ['session=of-bob-back', ['pending']],
    ['state=pending&client_id=back&subject=alice&session=of-alice', []],
  ])('is filtered by %s', async (query, expected) => {
    const { get } = await withDeliveries();
    expect(rows(shownPage(await get(`/end-users/deliveries?${query}`)).text)).toEqual(expected);
  });

  it('says what is wrong with a filter, and keeps what was typed', async () => {
    const { get } = await withDeliveries();
    const response = await get('/end-users/deliveries?state=lost&client_id=%C3%A4&subject=alice&older=x');
    expect(response.status).toBe(400);
    const { alerts, forms } = shownPage(response);
    expect(alerts).toEqual([
      'The address is not one of this list.',
      'There is no such state.',
      'It is not a client identifier.',
    ]);
    expect(forms.at(-1)?.fields).toMatchObject({ client_id: 'ä', subject: 'alice' });
  });

  it('goes on in pages', async () => {
    const { get, login, post } = await anEndUsersConsole();
    for (let index = 0; index < 30; index += 1) await login(`s${index}`, 'alice', ['back']);
    await post('/end-users/end-sessions', { subject: 'alice', confirmation: 'alice' });
    const first = await get('/end-users/deliveries?state=pending', 'operator');
    expect(first.text.length).toBeLessThan(30_000);
    const page = shownPage(first);
    expect(rows(page.text)).toHaveLength(25);
    const next = shownPage(await get(page.links['Older'] ?? ''));
    expect(rows(next.text)).toHaveLength(5);
    expect(next.links['Older']).toBeUndefined();
  });
});

describe('delivering again', () => {
  it('queues the notification, is recorded, and comes back to the same page', async () => {
    const built = await withDeliveries();
    for (const [address, location] of [
      [
        '/end-users/deliveries?state=dead&subject=alice',
        '/end-users/deliveries?state=dead&subject=alice&done=queued',
      ],
      ['/end-users?subject=alice', '/end-users?subject=alice&done=queued'],
      ['/end-users/session?session=of-alice', '/end-users/session?session=of-alice&done=queued'],
    ] as const) {
      const page = await built.get(address, 'operator');
      const { fields = {} } = formOf(page, '/end-users/deliveries/redeliver') ?? {};
      const delivery = /name="delivery" value="(\d+)"/.exec(page.text)?.[1] ?? '';
      const response = await built.post(
        '/end-users/deliveries/redeliver',
        { ...fields, delivery },
        'operator',
      );
      expect(response).toMatchObject({ status: 303, headers: { location } });
      expect((await storedEvents(built)).at(-1)).toMatchObject({
        actor: 'operator:a-operator',
        action: 'logout_delivery.redelivered',
        target: `logout_delivery:${delivery}`,
      });
      const again = await built.post('/end-users/deliveries/redeliver', { delivery }, 'operator');
      expect(again.status).toBe(409);
      await built.giveUp();
    }
  });

  it('is not for viewers, and not possible for what does not exist', async () => {
    const built = await withDeliveries();
    const path = '/end-users/deliveries/redeliver';
    expect(formOf(await built.get('/end-users/deliveries'), path)).toBeUndefined();
    expect((await built.post(path, { delivery: '1' }, 'viewer')).status).toBe(403);
    for (const delivery of ['999999', 'x', ''])
      expect((await built.post(path, { delivery }, 'operator')).status).toBe(404);
  });
});
