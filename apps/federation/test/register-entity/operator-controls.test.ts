import { parseBlockedHost } from '@vestibule/clients/blocks';
import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { ISSUER, MASTER, send, startFederation, type TestFederation } from '../support/test-federation.js';

const change = ({ clock }: TestFederation) => ({ actor: 'operator:jane', now: nowSeconds(clock) }) as const;
const deny = (fixture: TestFederation, { id: entityId }: { readonly id: string }) =>
  fixture.store.database.federation.deny({ entityId }, change(fixture));
const outcome = async (fixture: TestFederation) => {
  const member = await fixture.relyingParty();
  return (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
};

describe('the deny list', () => {
  it('takes effect from the next registration on, for every position of a chain, until it is lifted', async () => {
    const fixture = await startFederation();
    const { anchor, intermediates } = fixture;
    for (const entity of [anchor, intermediates[0]]) {
      expect(await outcome(fixture)).toBe(200);
      await deny(fixture, entity);
      expect(await outcome(fixture)).toBe(401);
      await fixture.store.database.federation.allow(entity.id, change(fixture));
    }
    const member = await fixture.relyingParty();
    await deny(fixture, member);
    expect((await fixture.register(await fixture.registrationRequest(member, ISSUER))).status).toBe(401);
    const explanation = await send(fixture.app, {
      url: `/federation/explain?sub=${encodeURIComponent(member.id)}`,
      headers: { authorization: `Bearer ${MASTER}` },
    });
    expect(JSON.parse(explanation.body)).toMatchObject({ trusted: false, reason: 'denied' });
  });

  it('ends a registration that was under way when the entity was denied', async () => {
    const fixture = await startFederation();
    const [superior] = fixture.intermediates;
    let response = () => {};
    superior.behaviour.silentUntil = new Promise((resolve) => {
      response = resolve;
    });
    const member = await fixture.relyingParty();
    const registering = fixture.register(await fixture.registrationRequest(member, ISSUER));
    await expect.poll(() => superior.requestedPaths.length).toBeGreaterThan(0);
    await deny(fixture, superior);
    response();
    expect((await registering).status).toBe(401);
    expect(await fixture.clients()).toEqual([]);
  });

  it('finds a registration by every entity of its chain', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const { status } = await fixture.register(await fixture.registrationRequest(member, ISSUER));
    expect(status).toBe(200);
    for (const { id } of [member, fixture.intermediates[0], fixture.anchor])
      expect(await fixture.store.database.federation.clientsThrough(id)).toHaveLength(1);
  });
});

describe('a block', () => {
  it('refuses entities by their own host or what they register, until it is lifted', async () => {
    const fixture = await startFederation();
    const { clientBlocks: blocks } = fixture.store.database;
    for (const name of [parseBlockedHost('127.0.0.1'), parseBlockedHost('rp.example')]) {
      await blocks.add([name], undefined, change(fixture));
      const member = await fixture.relyingParty();
      const registered = member.metadata['openid_relying_party'];
      member.metadata['openid_relying_party'] = {
        ...registered,
        redirect_uris: ['https://rp.example/callback'],
      };
      const { status, body } = await fixture.register(await fixture.registrationRequest(member, ISSUER));
      expect([status, JSON.parse(body)]).toEqual([
        400,
        {
          error: 'invalid_client_metadata',
          error_description: 'The operator of this server has blocked this client.',
        },
      ]);
      expect(await fixture.clients()).toEqual([]);
      await blocks.remove(name, change(fixture));
    }
    expect(await outcome(fixture)).toBe(200);
  });

  it('refuses an entity that registers again in place of a registration that is being deleted', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const register = async () =>
      (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
    expect(await register()).toBe(200);
    const before = await fixture.clients();
    await fixture.store.database.clientBlocks.add(
      [parseBlockedHost('127.0.0.1')],
      undefined,
      change(fixture),
    );
    fixture.clock.advanceSeconds(10);
    const { metadata } = member;
    metadata['openid_relying_party'] = { ...metadata['openid_relying_party'], client_name: 'Another name' };
    expect(await register()).toBe(400);
    expect(await fixture.clients()).toEqual(before);
  });
});

describe('a purge of cached statements', () => {
  const settings = () => ({ FEDERATION_CACHE_SECONDS: '300', FEDERATION_NEGATIVE_CACHE_SECONDS: '300' });

  it('makes the next registration fetch its chain again', async () => {
    const fixture = await startFederation({ settings });
    expect(await outcome(fixture)).toBe(200);
    fixture.intermediates[0].behaviour.configurationFault = 'not_found';
    expect(await outcome(fixture)).toBe(200);
    await fixture.store.database.federation.purgeStatements(change(fixture));
    expect(await outcome(fixture)).toBe(401);
  });

  it('lets failed fetches be repeated', async () => {
    const fixture = await startFederation({ settings });
    const { behaviour } = fixture.intermediates[0];
    behaviour.configurationFault = 'not_found';
    expect(await outcome(fixture)).toBe(401);
    behaviour.configurationFault = undefined;
    expect(await outcome(fixture)).toBe(401);
    await fixture.store.database.federation.purgeStatements(change(fixture));
    expect(await outcome(fixture)).toBe(200);
  });
});
