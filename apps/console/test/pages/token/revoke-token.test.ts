import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { openToken, SEALED_TOKEN_SECONDS, sealToken } from '../../../src/pages/token/sealed-token.js';
import { formOf, shownPage } from '../../support/shown-page.js';
import { storedEvents } from '../../support/stored-events.js';
import { aTokenConsole } from './token-console.js';

describe('revoking a token', () => {
  it.each(['identifier', 'jwt'] as const)('ends it and is recorded (%s)', async (format) => {
    const built = await aTokenConsole();
    const token = await built[format]();
    const sealed = await built.sealed(token);
    const response = await built.post('/token/revoke', { sealed }, 'operator');
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
    const sealed = await built.sealed(token);
    expect((await built.post('/token/revoke', { sealed }, 'viewer')).status).toBe(403);
    expect(built.refused).toMatchObject([{ path: '/token/revoke', required: 'operator' }]);
    const page = await built.post('/token', { token }, 'viewer');
    expect(formOf(page, '/token/revoke')).toBeUndefined();
    expect(shownPage(page).text).toMatch(/State active/);
  });

  it('says why nothing is revoked for a JWT that does not verify', async () => {
    const built = await aTokenConsole();
    const token = await built.jwt();
    const sealed = await built.sealed(`${token.slice(0, -8)}AAAAAAAA`);
    const response = await built.post('/token/revoke', { sealed }, 'operator');
    expect(response.status).toBe(400);
    expect(shownPage(response).alerts).toEqual([expect.stringMatching(/signature does not verify/)]);
  });

  it('asks for the token again when its page was open for too long', async () => {
    const built = await aTokenConsole();
    const clock = frozenClock();
    const deps = { encryptor: built.store.encryptor, clock };
    const visit = { formToken: 'one' };
    const sealed = await sealToken(deps, visit, 'the token');
    expect(await openToken(deps, visit, sealed)).toBe('the token');
    expect(await openToken(deps, { formToken: 'another' }, sealed)).toBeUndefined();
    clock.advanceSeconds(SEALED_TOKEN_SECONDS);
    expect(await openToken(deps, visit, sealed)).toBeUndefined();
    expect((await built.post('/token/revoke', { sealed }, 'operator')).status).toBe(400);
  });
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
