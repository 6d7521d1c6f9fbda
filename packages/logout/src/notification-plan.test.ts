import type { ClientId, Issuer } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import type { EndedClient } from './logout-sessions.js';
import { notificationPlan } from './notification-plan.js';

const ISSUER = 'https://as.example/tenant' as Issuer;

const aClient = (uri: string, wantsSession = false, id = uri): EndedClient => ({
  clientId: id as ClientId,
  sid: 'a&b',
  metadata: { frontchannel_logout_uri: uri, frontchannel_logout_session_required: wantsSession },
});

const addresses = (...clients: EndedClient[]) =>
  notificationPlan(clients, ISSUER).map(({ page }) => page?.address);

describe('notificationPlan', () => {
  it('adds iss and sid, both or neither, to the query that was registered', () => {
    expect(addresses(aClient('https://app.example/front?x=%20'))).toEqual([
      'https://app.example/front?x=%20',
    ]);
    const parameters = 'iss=https%3A%2F%2Fas.example%2Ftenant&sid=a%26b';
    expect(addresses(aClient('https://app.example/front', true))).toEqual([
      `https://app.example/front?${parameters}`,
    ]);
    expect(addresses(aClient('https://app.example/front?x=%20', true))).toEqual([
      `https://app.example/front?x=%20&${parameters}`,
    ]);
  });

  it('loads at most fifty pages, none that a frame cannot load, and leaves out no client', () => {
    const strange = ['com.example.app:/x', 'javascript:1', 'x', 'https://e.example;sandbox/front'].map(
      (uri) => aClient(uri),
    );
    const many = Array.from({ length: 70 }, (_, index) => aClient(`https://app${index}.example/`));
    const planned = notificationPlan([...strange, ...many], ISSUER);
    expect(planned.map(({ clientId }) => clientId)).toEqual(
      [...strange, ...many].map(({ clientId }) => clientId),
    );
    expect(planned.flatMap(({ page }) => page?.address ?? [])).toEqual(
      many.slice(0, 50).map(({ clientId }) => clientId),
    );
  });

  it('keeps the back-channel notification of a client with and without a page', () => {
    const both = { ...aClient('https://a.example/front'), deliveryId: '1' };
    const back: EndedClient = { clientId: 'b' as ClientId, sid: 's', metadata: {}, deliveryId: '2' };
    const none: EndedClient = { clientId: 'c' as ClientId, sid: 's', metadata: {} };
    expect(
      notificationPlan([both, back, none], ISSUER).map(({ page, deliveryId }) => [page?.origin, deliveryId]),
    ).toEqual([
      ['https://a.example', '1'],
      [undefined, '2'],
      [undefined, undefined],
    ]);
  });
});
