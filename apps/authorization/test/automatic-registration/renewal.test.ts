import { expect, it } from 'vitest';
import { automaticWorld, type Member } from '../support/automatic-world.js';

type World = Awaited<ReturnType<typeof automaticWorld>>;

async function use({ automatic, stored }: World, member: Member): Promise<boolean> {
  const client = await stored(member);
  if (client === undefined) throw new TypeError('the entity is not registered');
  return automatic.renewWhenDue(client);
}

it('renews a registration in use once, when most of its lifetime is over', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const { issuedAt, id } = await world.register(member);
  world.advance(2_519);
  expect(await use(world, member)).toBe(false);
  world.advance(721);
  const client = await world.stored(member);
  const begun = Array.from({ length: 20 }, () => client && world.automatic.renewWhenDue(client));
  expect(begun).toEqual(begun.map((_, index) => index === 0));
  await expect
    .poll(() => world.stored(member))
    .toMatchObject({ id, issuedAt, version: 2, expiresAt: world.now() + 3_600 });
  expect(world.asked(member)).toBe(2);
  expect(await use(world, member)).toBe(false);
});

it('renews with the current metadata of the entity', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  await world.register(member);
  member.entity.metadata['openid_relying_party'] = {
    ...member.entity.metadata['openid_relying_party'],
    client_name: 'Another name',
  };
  world.advance(3_240);
  expect(await use(world, member)).toBe(true);
  await expect.poll(() => world.stored(member)).toMatchObject({ metadata: { client_name: 'Another name' } });
});

it('lets a registration end that cannot be renewed', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const client = await world.register(member);
  const [superior] = world.federation.intermediates;
  superior.behaviour.subordinates.set(member.entity.id, { claims: { exp: world.now() } });
  world.advance(3_240);
  const before = superior.asked.length;
  expect(await use(world, member)).toBe(true);
  await expect.poll(() => superior.asked.length).toBeGreaterThan(before + 1);
  expect(await world.stored(member)).toMatchObject({ version: 1, expiresAt: client.expiresAt });
  world.advance(360);
  await expect(world.register(member)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await world.stored(member)).toMatchObject({ version: 1 });
  expect(world.problems).toEqual([]);
});

it('renews no registration of another kind', async () => {
  const world = await automaticWorld();
  const member = await world.member();
  const client = await world.register(member);
  world.advance(3_240);
  expect(world.automatic.renewWhenDue({ ...client, origin: 'federation_explicit' })).toBe(false);
  expect(world.automatic.renewWhenDue(client)).toBe(true);
  await expect.poll(() => world.stored(member)).toMatchObject({ version: 2 });
});

it('renews a few registrations in parallel, and the others at a later use', async () => {
  const world = await automaticWorld();
  const members = await Promise.all(Array.from({ length: 5 }, () => world.member()));
  const clients = await Promise.all(members.map((member) => world.register(member)));
  world.advance(3_240);
  const begun = clients.map((client) => world.automatic.renewWhenDue(client));
  expect(begun).toEqual([true, true, true, true, false]);
  for (const [index, member] of members.entries())
    await expect.poll(() => world.stored(member)).toMatchObject({ version: begun[index] ? 2 : 1 });
});
