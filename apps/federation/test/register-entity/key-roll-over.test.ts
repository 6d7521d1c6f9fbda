import { createEntityKey, type EntityKey, type FederationEntity } from '@vestibule/testkit/federation';
import { describe, expect, it } from 'vitest';
import { ISSUER, startFederation } from '../support/test-federation.js';

const CACHED = { FEDERATION_CACHE_SECONDS: '3600', FEDERATION_NEGATIVE_CACHE_SECONDS: '30' };

const keySet = (keys: readonly EntityKey[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) });

/** A path of four levels with every statement cached: a relying party below a unit of an organization. */
async function aCachedPath() {
  const fixture = await startFederation({ settings: () => CACHED });
  const { anchor, intermediates, newEntity, relyingParty, register, registrationRequest, behaves, clock } =
    fixture;
  const [organization] = intermediates;
  const unit = await newEntity();
  organization.vouchFor(unit);
  const superiors = [anchor, organization, unit];
  const registers = async (member: FederationEntity, changes = {}) => {
    for (const { requestedPaths } of superiors) requestedPaths.splice(0);
    const { status } = await register(await registrationRequest(member, ISSUER, changes));
    return { status, fetches: superiors.flatMap(({ requestedPaths }) => requestedPaths).length };
  };
  const member = () => relyingParty({ superior: unit });
  behaves(anchor, organization.id, { claims: { exp: Math.floor(clock.nowMs() / 1000) + 60 } });
  expect(await registers(await member())).toEqual({ status: 200, fetches: 6 });
  return { ...fixture, unit, organization, member, registers };
}

/** Has an entity sign with a new key, and list no other. */
async function rollOver(
  entity: FederationEntity,
  subordinates: readonly FederationEntity[],
): Promise<EntityKey> {
  const key = await createEntityKey();
  const signing = { key, header: { kid: key.kid } };
  entity.behaviour.configuration = { ...signing, claims: { jwks: keySet([key]) } };
  for (const { id } of subordinates) entity.behaviour.subordinates.set(id, signing);
  return key;
}

describe('after an intermediate and its superior have dropped a key', () => {
  it('new entities below it register at once, although statements under the old key are cached', async () => {
    const { anchor, organization, unit, member, registers, clock, behaves } = await aCachedPath();
    const [next, another] = [await member(), await member()];
    anchor.vouchFor(organization, { jwks: keySet([await rollOver(organization, [unit])]) });
    behaves(anchor, organization.id, {});
    // The statement of the superior is cached for a shorter time.
    clock.advanceSeconds(61);
    // Fetches: the new entity; the organization, by its superior and by itself; and its statement about the unit.
    expect(await registers(next)).toEqual({ status: 200, fetches: 4 });
    expect(await registers(another)).toEqual({ status: 200, fetches: 1 });
  });

  it('a revoked key registers no entity', async () => {
    const { anchor, organization, member, registers, clock, behaves } = await aCachedPath();
    const next = await member();
    // The organization continues to use the key that its superior has dropped.
    anchor.vouchFor(organization, { jwks: keySet([await createEntityKey()]) });
    behaves(anchor, organization.id, {});
    clock.advanceSeconds(61);
    expect(await registers(next)).toMatchObject({ status: 401 });
    // Each statement is fetched again once, and then not for a while; that of the superior was new before.
    for (const fetches of [1, 0]) expect(await registers(next)).toEqual({ status: 401, fetches });
  });
});

it('invalid signatures cause at most one new fetch of a cached statement in ten seconds', async () => {
  const { clock, member, registers } = await aCachedPath();
  const known = await member();
  expect(await registers(known)).toEqual({ status: 200, fetches: 1 });
  clock.advanceSeconds(1);
  const foreign = await createEntityKey();
  const forged = () =>
    registers(known, { header: { kid: foreign.kid }, claims: { jwks: keySet([foreign]) }, key: foreign });
  for (const fetches of [1, 0, 0]) expect(await forged()).toEqual({ status: 401, fetches });
  clock.advanceSeconds(10);
  for (const fetches of [1, 0]) expect(await forged()).toEqual({ status: 401, fetches });
});
