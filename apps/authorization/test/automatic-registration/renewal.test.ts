import { expect, it } from 'vitest';
import { createAutomaticFixture, type Member } from '../support/automatic-fixture.js';

type Fixture = Awaited<ReturnType<typeof createAutomaticFixture>>;

async function use({ automatic, stored }: Fixture, member: Member): Promise<boolean> {
  const client = await stored(member);
  if (client === undefined) throw new TypeError('the entity is not registered');
  return automatic.renewWhenDue(client);
}

it('renews a registration in use once, when most of its lifetime is over', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const { issuedAt, id } = await fixture.register(member);
  fixture.advance(2_519);
  expect(await use(fixture, member)).toBe(false);
  fixture.advance(721);
  const client = await fixture.stored(member);
  const begun = Array.from({ length: 20 }, () => client && fixture.automatic.renewWhenDue(client));
  expect(begun).toEqual(begun.map((_, index) => index === 0));
  await expect
    .poll(() => fixture.stored(member))
    .toMatchObject({ id, issuedAt, version: 2, expiresAt: fixture.now() + 3_600 });
  expect(fixture.requested(member)).toBe(2);
  expect(await use(fixture, member)).toBe(false);
});

it('renews with the current metadata of the entity', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  await fixture.register(member);
  member.entity.metadata['openid_relying_party'] = {
    ...member.entity.metadata['openid_relying_party'],
    client_name: 'Another name',
  };
  fixture.advance(3_240);
  expect(await use(fixture, member)).toBe(true);
  await expect
    .poll(() => fixture.stored(member))
    .toMatchObject({ metadata: { client_name: 'Another name' } });
});

it('lets a registration end that cannot be renewed', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const client = await fixture.register(member);
  const [superior] = fixture.federation.intermediates;
  superior.behaviour.subordinates.set(member.entity.id, { claims: { exp: fixture.now() } });
  fixture.advance(3_240);
  const before = superior.requestedPaths.length;
  expect(await use(fixture, member)).toBe(true);
  await expect.poll(() => superior.requestedPaths.length).toBeGreaterThan(before + 1);
  // Shares the resolution of the renewal, or follows it: time must not pass meanwhile.
  await expect(fixture.register(member)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await fixture.stored(member)).toMatchObject({ version: 1, expiresAt: client.expiresAt });
  fixture.advance(360);
  await expect(fixture.register(member)).rejects.toMatchObject({ code: 'unauthorized_client' });
  expect(await fixture.stored(member)).toMatchObject({ version: 1 });
  expect(fixture.problems).toEqual([]);
});

it('renews no registration of another kind', async () => {
  const fixture = await createAutomaticFixture();
  const member = await fixture.member();
  const client = await fixture.register(member);
  fixture.advance(3_240);
  expect(fixture.automatic.renewWhenDue({ ...client, origin: 'federation_explicit' })).toBe(false);
  expect(fixture.automatic.renewWhenDue(client)).toBe(true);
  await expect.poll(() => fixture.stored(member)).toMatchObject({ version: 2 });
});

it('renews a few registrations in parallel, and the others at a later use', async () => {
  const fixture = await createAutomaticFixture();
  const members = await Promise.all(Array.from({ length: 5 }, () => fixture.member()));
  const clients = await Promise.all(members.map((member) => fixture.register(member)));
  fixture.advance(3_240);
  const begun = clients.map((client) => fixture.automatic.renewWhenDue(client));
  expect(begun).toEqual([true, true, true, true, false]);
  for (const [index, member] of members.entries())
    await expect.poll(() => fixture.stored(member)).toMatchObject({ version: begun[index] ? 2 : 1 });
});
