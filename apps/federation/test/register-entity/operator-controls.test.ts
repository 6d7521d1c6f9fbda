import { nowSeconds } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { ISSUER, MASTER, send, startFederation, type TestFederation } from '../support/test-federation.js';

const change = ({ clock }: TestFederation) => ({ actor: 'operator:jane', now: nowSeconds(clock) }) as const;
const deny = (world: TestFederation, { id: entityId }: { readonly id: string }) =>
  world.store.database.federation.deny({ entityId }, change(world));
const outcome = async (world: TestFederation) => {
  const member = await world.relyingParty();
  return (await world.register(await world.registrationRequest(member, ISSUER))).status;
};

describe('the deny list', () => {
  it('takes effect from the next registration on, for every position of a chain, until it is lifted', async () => {
    const world = await startFederation();
    const { anchor, intermediates } = world;
    for (const entity of [anchor, intermediates[0]]) {
      expect(await outcome(world)).toBe(200);
      await deny(world, entity);
      expect(await outcome(world)).toBe(401);
      await world.store.database.federation.allow(entity.id, change(world));
    }
    const member = await world.relyingParty();
    await deny(world, member);
    expect((await world.register(await world.registrationRequest(member, ISSUER))).status).toBe(401);
    const explanation = await send(world.app, {
      url: `/federation/explain?sub=${encodeURIComponent(member.id)}`,
      headers: { authorization: `Bearer ${MASTER}` },
    });
    expect(JSON.parse(explanation.body)).toMatchObject({ trusted: false, reason: 'denied' });
  });

  it('ends a registration that was under way when the entity was denied', async () => {
    const world = await startFederation();
    const [superior] = world.intermediates;
    let response = () => {};
    superior.behaviour.silentUntil = new Promise((resolve) => {
      response = resolve;
    });
    const member = await world.relyingParty();
    const registering = world.register(await world.registrationRequest(member, ISSUER));
    await expect.poll(() => superior.asked.length).toBeGreaterThan(0);
    await deny(world, superior);
    response();
    expect((await registering).status).toBe(401);
    expect(await world.clients()).toEqual([]);
  });

  it('finds a registration by every entity of its chain', async () => {
    const world = await startFederation();
    const member = await world.relyingParty();
    const { status } = await world.register(await world.registrationRequest(member, ISSUER));
    expect(status).toBe(200);
    for (const { id } of [member, world.intermediates[0], world.anchor])
      expect(await world.store.database.federation.clientsThrough(id)).toHaveLength(1);
  });
});

describe('a purge of cached statements', () => {
  const settings = () => ({ FEDERATION_CACHE_SECONDS: '300', FEDERATION_FAILURE_MEMORY_SECONDS: '300' });

  it('makes the next registration fetch its chain again', async () => {
    const world = await startFederation({ settings });
    expect(await outcome(world)).toBe(200);
    world.intermediates[0].behaviour.configurationFault = 'not_found';
    expect(await outcome(world)).toBe(200);
    await world.store.database.federation.purgeStatements(change(world));
    expect(await outcome(world)).toBe(401);
  });

  it('lets failed fetches be repeated', async () => {
    const world = await startFederation({ settings });
    const { behaviour } = world.intermediates[0];
    behaviour.configurationFault = 'not_found';
    expect(await outcome(world)).toBe(401);
    behaviour.configurationFault = undefined;
    expect(await outcome(world)).toBe(401);
    await world.store.database.federation.purgeStatements(change(world));
    expect(await outcome(world)).toBe(200);
  });
});
