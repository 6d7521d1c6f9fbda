import type { ClientId } from '@vestibule/protocol';
import { describe, expect, it } from 'vitest';
import { introspect } from '../introspection/introspect.js';
import { aTokenFixture, RS1 } from '../testing/token-fixture.js';
import { revokeOwnToken } from './revoke-own-token.js';

type World = Awaited<ReturnType<typeof aTokenFixture>>;

const OTHER = 'another-client' as ClientId;

async function ownerOf(world: World, token: string): Promise<ClientId> {
  const { response } = await introspect(world, { token, caller: RS1, revoke: false });
  if (response.active !== true) throw new Error('the token is not active');
  return response['client_id'] as ClientId;
}

const isActive = async (world: World, token: string) =>
  (await introspect(world, { token, caller: RS1, revoke: false })).response.active;

describe('revokeOwnToken', () => {
  it('makes an access token of either format inactive for the client that it was issued to, and for no other', async () => {
    const world = await aTokenFixture();
    for (const format of ['identifier', 'jwt'] as const) {
      const [token, sibling] = [await world[format](), await world[format]()];
      const owner = await ownerOf(world, token);
      await revokeOwnToken(world, OTHER, token);
      expect(await isActive(world, token)).toBe(true);
      await revokeOwnToken(world, owner, token);
      expect([await isActive(world, token), await isActive(world, sibling)]).toEqual([false, true]);
    }
  });

  it('deletes a refresh token for the client that it was issued to, and for no other', async () => {
    const world = await aTokenFixture();
    const [owner, token] = ['client' as ClientId, 'r'.repeat(43)];
    world.revocations.holdRefreshToken(world.digester.digest('refresh-token', token), owner);
    expect(await revokeOwnToken(world, OTHER, token)).toBe(true);
    expect(world.revocations.refreshTokenCount()).toBe(1);
    expect(await revokeOwnToken(world, owner, token)).toBe(true);
    expect(world.revocations.refreshTokenCount()).toBe(0);
    expect(await revokeOwnToken(world, owner, token)).toBe(false);
  });

  it('succeeds for a text that is not a token (RFC 7009 section 2.2)', async () => {
    const [world, otherServer] = await Promise.all([aTokenFixture(), aTokenFixture()]);
    const owner = await ownerOf(world, await world.jwt());
    for (const text of ['', 'x', 'a.b.c', await otherServer.jwt()])
      expect(await revokeOwnToken(world, owner, text)).toBe(true);
  });

  it('reports only identifier-based tokens as not found', async () => {
    const world = await aTokenFixture();
    const token = await world.identifier();
    const owner = await ownerOf(world, token);
    expect(await revokeOwnToken(world, OTHER, token)).toBe(true);
    expect(await revokeOwnToken(world, owner, 'x'.repeat(43))).toBe(false);
    expect(await revokeOwnToken(world, owner, token)).toBe(true);
    expect(await revokeOwnToken(world, owner, token)).toBe(false);
  });

  it('rejects when a store fails', async () => {
    const world = await aTokenFixture();
    const fault = () => Promise.reject(new Error('store down'));
    const revocations = {
      revokeAccessToken: fault,
      revokeSelfContained: fault,
      refreshTokenOwner: fault,
      revokeRefreshToken: fault,
    };
    for (const token of [await world.identifier(), await world.jwt()]) {
      const owner = await ownerOf(world, token);
      await expect(revokeOwnToken({ ...world, revocations }, owner, token)).rejects.toThrow('store down');
    }
  });
});
