import type { ClientId, Issuer } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { frontchannelTargets } from './frontchannel.js';
import type { FrontchannelClient } from './logout-sessions.js';

const ISSUER = 'https://as.example/tenant' as Issuer;

const aClient = (uri: string, wantsSession = false): FrontchannelClient => ({
  clientId: 'c' as ClientId,
  sid: 'a&b',
  metadata: { frontchannel_logout_uri: uri, frontchannel_logout_session_required: wantsSession },
});

const addresses = (...clients: FrontchannelClient[]) =>
  frontchannelTargets(clients, ISSUER).map(({ address }) => address);

describe('frontchannelTargets', () => {
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

  it('leaves out what no frame can load, and clients beyond fifty', () => {
    expect(addresses(aClient('com.example.app:/x'), aClient('javascript:1'), aClient('x'))).toEqual([]);
    expect(addresses(...Array.from({ length: 70 }, () => aClient('https://app.example/')))).toHaveLength(50);
  });
});
