import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import {
  decryptToken,
  encryptToken,
  PASTED_TOKEN_SECONDS,
} from '../../../src/pages/token/encrypted-token.js';
import { formOf, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { issuedInitialToken } from '../initial-tokens/issued-initial-token.js';
import { aTokenConsole } from './token-console.js';

describe('revoking a token', () => {
  it.each(['identifier', 'jwt'] as const)('ends it and is recorded (%s)', async (format) => {
    const built = await aTokenConsole();
    const token = await built[format]();
    const encrypted = await built.encrypted(token);
    const confirming = await built.post('/token/revoke', { encrypted }, 'operator');
    expect(confirming.status).toBe(200);
    expect(formOf(confirming, '/token/revoke')?.fields).toMatchObject({ encrypted, confirmation: '' });
    expect(confirming.text).not.toContain(token);
    const refused = await built.post('/token/revoke', { encrypted, confirmation: 'api' }, 'operator');
    expect(refused.status).toBe(400);
    expect(shownPage(await built.post('/token', { token }, 'viewer')).text).toMatch(/State active/);
    const response = await built.post('/token/revoke', { encrypted, confirmation: 'client' }, 'operator');
    expect(response).toMatchObject({ status: 303, headers: { location: '/token?done=revoked' } });
    expect(shownPage(await built.get('/token?done=revoked')).text).toContain('The token is revoked.');
    expect(shownPage(await built.post('/token', { token }, 'viewer')).text).toMatch(/State not active/);
    expect((await storedEvents(built)).at(-1)).toMatchObject({
      actor: 'operator:a-operator',
      action: 'token.revoked',
    });
  });

  it('is refused to a viewer, who does not see its button', async () => {
    const built = await aTokenConsole();
    const token = await built.identifier();
    const encrypted = await built.encrypted(token);
    const typed = { encrypted, confirmation: 'client' };
    expect((await built.post('/token/revoke', typed, 'viewer')).status).toBe(403);
    expect(built.refused).toMatchObject([{ path: '/token/revoke', required: 'operator' }]);
    const page = await built.post('/token', { token }, 'viewer');
    expect(formOf(page, '/token/revoke')).toBeUndefined();
    expect(shownPage(page).text).toMatch(/State active/);
  });

  it('says why nothing is revoked for a JWT that does not verify', async () => {
    const built = await aTokenConsole();
    const token = await built.jwt();
    const encrypted = await built.encrypted(`${token.slice(0, -8)}AAAAAAAA`);
    const response = await built.post('/token/revoke', { encrypted, confirmation: 'revoke' }, 'operator');
    expect(response.status).toBe(400);
    expect(shownPage(response).alerts).toEqual([expect.stringMatching(/signature does not verify/)]);
  });

  it('asks for the token again when its page was open for too long', async () => {
    const built = await aTokenConsole();
    const clock = frozenClock();
    const deps = { encryptor: built.store.encryptor, clock };
    const visit = { formToken: 'one' };
    const encrypted = await encryptToken(deps, visit, 'the token');
    expect(await decryptToken(deps, visit, encrypted)).toBe('the token');
    expect(await decryptToken(deps, { formToken: 'another' }, encrypted)).toBeUndefined();
    clock.advanceSeconds(PASTED_TOKEN_SECONDS);
    expect(await decryptToken(deps, visit, encrypted)).toBeUndefined();
    for (const confirmation of ['', 'client'])
      expect((await built.post('/token/revoke', { encrypted, confirmation }, 'operator')).status).toBe(400);
  });

  it.each(['', 'jwt'])(
    'requires the role admin for an initial access token with elevated rights, as its page does (%s)',
    async (format) => {
      const built = await aTokenConsole();
      for (const [right, isElevated] of [
        ['right_code', false],
        ['right_all', true],
        ['right_id', true],
      ] as const) {
        const { token, shortId } = await issuedInitialToken(built, { [right]: 'on', format });
        const encrypted = await built.encrypted(token);
        const typed = { encrypted, confirmation: shortId };
        const left = async () =>
          (await built.store.database.listedInitialTokens.findByShortId(shortId)).length;
        built.refused.length = 0;
        if (isElevated) {
          for (const form of [typed, { encrypted }])
            expect((await built.post('/token/revoke', form, 'operator')).status).toBe(403);
          expect(built.refused).toMatchObject([
            { operator: { role: 'operator' }, path: '/token/revoke', required: 'admin' },
            { required: 'admin' },
          ]);
          expect(await left()).toBe(1);
        }
        const role = isElevated ? 'admin' : 'operator';
        expect((await built.post('/token/revoke', { encrypted, confirmation: 'revoke' }, role)).status).toBe(
          400,
        );
        expect((await built.post('/token/revoke', typed, role)).status).toBe(303);
        expect(await left()).toBe(0);
        expect((await storedEvents(built)).at(-1)).toMatchObject({
          action: 'initial_access_token.revoked',
          actor: `operator:a-${role}`,
        });
      }
    },
  );
});

it('can be worked on for ten minutes from the paste, however often it is looked at', async () => {
  const built = await aTokenConsole({}, { isStoreFrozen: true });
  const token = await built.identifier({ lifetimeSeconds: 3_600 });
  let encrypted = await built.encrypted(token);
  const look = async () => built.post('/token', { encrypted, caller: 'api' }, 'viewer');
  for (let minute = 0; minute < 9; minute += 1) {
    built.clock.advanceSeconds(60);
    const page = await look();
    expect(page.status).toBe(200);
    encrypted = formOf(page, '/token')?.fields['encrypted'] ?? '';
  }
  built.clock.advanceSeconds(59);
  expect((await look()).status).toBe(200);
  built.clock.advanceSeconds(1);
  const late = await look();
  expect(late.status).toBe(400);
  expect(shownPage(late).alerts).toEqual([expect.stringMatching(/open for too long/)]);
  expect((await built.post('/token/revoke', { encrypted })).status).toBe(400);
});

describe('revoking everything of a client', () => {
  it('is for admins, is confirmed by typing, and is recorded', async () => {
    const built = await aTokenConsole();
    const token = await built.jwt();
    const path = '/token/revoke-client';
    expect((await built.get(`${path}?client_id=client`, 'operator')).status).toBe(403);
    const page = await built.get(`${path}?client_id=client`, 'admin');
    expect(formOf(page, path)?.fields).toMatchObject({ client_id: 'client', confirmation: '' });
    const typed = { client_id: 'client', confirmation: 'Client' };
    const refused = await built.post(path, typed);
    expect(refused.status).toBe(400);
    expect(shownPage(refused).alerts).toEqual(['It differs: nothing was changed.']);
    expect((await built.post(path, { ...typed, confirmation: 'client' }, 'operator')).status).toBe(403);
    expect(shownPage(await built.post('/token', { token })).text).toMatch(/State active/);
    expect(await built.post(path, { ...typed, confirmation: 'client' })).toMatchObject({ status: 303 });
    expect(shownPage(await built.post('/token', { token })).text).toMatch(/State not active/);
    expect((await storedEvents(built)).at(-1)).toMatchObject({
      actor: 'operator:a-admin',
      action: 'tokens.revoked',
      target: 'client:client',
    });
  });

  it('is not found for what cannot be a client', async () => {
    const { get } = await aTokenConsole();
    for (const query of ['', '?client_id=', '?client_id=%C3%A4'])
      expect((await get(`/token/revoke-client${query}`, 'admin')).status).toBe(404);
  });
});
