import type { ClientId, Issuer } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { frontchannelPlan } from './frontchannel.js';
import type { FrontchannelClient } from './logout-sessions.js';

const ISSUER = 'https://as.example/tenant' as Issuer;

const aClient = (uri: string, wantsSession = false, id = uri): FrontchannelClient => ({
  clientId: id as ClientId,
  sid: 'a&b',
  metadata: { frontchannel_logout_uri: uri, frontchannel_logout_session_required: wantsSession },
});

const addresses = (...clients: FrontchannelClient[]) =>
  frontchannelPlan(clients, ISSUER).targets.map(({ address }) => address);

describe('frontchannelPlan', () => {
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

  it('reaches nobody whose page no frame can load, nor clients beyond fifty, and says so', () => {
    const strange = ['com.example.app:/x', 'javascript:1', 'x', 'https://e.example;sandbox/front'].map(
      (uri) => aClient(uri),
    );
    expect(frontchannelPlan(strange, ISSUER)).toEqual({ targets: [], unreached: strange });
    const many = Array.from({ length: 70 }, (_, index) => aClient(`https://app${index}.example/`));
    const { targets, unreached } = frontchannelPlan([...strange, ...many], ISSUER);
    expect(targets.map(({ clientId }) => clientId)).toEqual(
      many.slice(0, 50).map(({ clientId }) => clientId),
    );
    expect(unreached).toEqual([...strange, ...many.slice(50)]);
  });
});
