import { signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import { aClientId } from '@vestibule/testkit';
import { describe, expect, it } from 'vitest';
import { ISSUER } from '../../support/build-test-console.js';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.js';
import { shownPage } from '../../support/shown-page.js';
import { aTokenConsole } from './token-console.js';

describe('a pasted token', () => {
  it.each(['identifier', 'jwt'] as const)(
    'is explained with its claims (%s), and never repeated',
    async (format) => {
      const built = await aTokenConsole();
      const token = await built[format]({ sessionId: 'sid-1', audience: ['https://api.example/v1'] });
      const response = await built.post('/token', { token: `  ${token}\n` }, 'viewer');
      expect(response.status).toBe(200);
      const page = shownPage(response);
      expect(page.text).toMatch(/State active .*Client client End-user alice Session sid-1/);
      expect(page.text).toMatch(/scope read write .* aud \["https:\/\/api.example\/v1"\]/);
      expect(page.links).toMatchObject({ alice: '/end-users?subject=alice', client: '/clients/client' });
      expect(response.text).not.toContain(token);
      expect(response.headers['cache-control']).toBe('no-store');
    },
  );

  it('is not active, and says why', async () => {
    const { post, jwt, identifier, store } = await aTokenConsole();
    const why = async (token: string) => shownPage(await post('/token', { token }, 'viewer')).text;
    expect(await why('short')).toMatch(/State not active Why not The text cannot be a token/);
    expect(await why('a'.repeat(43))).toMatch(/not active Why not There is no such access token/);
    const revoked = await jwt();
    const used = await identifier();
    await store.database.revocations.revokeClient(aClientId('client'), nowSeconds(store.clock));
    expect(await why(revoked)).toMatch(
      /Why not All tokens of its client were revoked. \( .* \) .*Claims that the text states.*client_id client/,
    );
    expect(await why(used)).toMatch(/There is no such access token/);
  });

  it('says which requirement a JWT of another issuer does not meet', async () => {
    const { post, store } = await aTokenConsole();
    const token = await signJwt({
      key: store.providerKeys.signingKey('ES256'),
      typ: 'at+jwt',
      claims: { iss: 'https://other.example', sub: 'x' },
    });
    const { text } = shownPage(await post('/token', { token }, 'viewer'));
    expect(text).toMatch(
      /It is not an access token of this issuer. Requirement iss is "https:\/\/other.example"/,
    );
  });

  it('is asked for again when it is missing, or its encrypted text is of no use', async () => {
    const { post } = await aTokenConsole();
    for (const [form, reason] of [
      [{}, 'Paste a token.'],
      [{ token: '   ' }, 'Paste a token.'],
      [{ encrypted: 'v1.a.b.c.d', caller: 'api' }, /open for too long/],
    ] as const) {
      const response = await post('/token', form, 'viewer');
      expect(response.status).toBe(400);
      expect(shownPage(response).alerts).toEqual([expect.stringMatching(reason)]);
    }
  });

  it('can have hostile claims', async () => {
    const { post, jwt } = await aTokenConsole();
    for (const text of Object.values(HOSTILE_TEXTS)) {
      const token = await jwt({ username: text, data: { [text.slice(0, 60)]: text } });
      const response = await post('/token', { token }, 'viewer');
      const page = shownPage(response);
      expect(response.status).toBe(200);
      expect(page.elements.has('img')).toBe(false);
      expect(response.text).not.toMatch(/<script>global|\u202e|\u2066/);
      expect(page.text).toMatch(/What a caller gets/);
      expect(response.text.length).toBeLessThan(30_000);
    }
  });
});

describe('a caller', () => {
  it('in the audience gets the response without the names and the scope of others', async () => {
    const { jwt, asCaller } = await aTokenConsole({ INTROSPECTION_NARROW_SCOPE: 'true' });
    const token = await jwt({ audience: ['https://api.example/v1', 'https://other.example'] });
    const { text } = shownPage(await asCaller(token, 'api'));
    expect(text).toMatch(/For api : Response active/);
    expect(text).toContain('The caller is in the audience of the token.');
    expect(text).toMatch(/Of the audience, https:\/\/other.example is left out/);
    expect(text).toMatch(/Of the scope, write is left out/);
    expect(text).toMatch(/The members of the response .*scope read .*aud \["https:\/\/api.example\/v1"\]/);
  });

  it('outside the audience gets an inactive response, or an active one if the rule only reports', async () => {
    for (const [rule, expected] of [
      [
        'enforce',
        /Response not active Why It is for other resource servers.*audience are api, https:\/\/api/,
      ],
      ['report', /Response active Why The caller is not in the audience.*only reports that/],
    ] as const) {
      const { identifier, asCaller } = await aTokenConsole({ INTROSPECTION_AUDIENCE_RULE: rule });
      const token = await identifier({ audience: ['https://other.example'] });
      expect(shownPage(await asCaller(token, 'api')).text).toMatch(expected);
    }
  });

  it('that may not introspect, or cannot authenticate, gets an error', async () => {
    const { identifier, asCaller, store } = await aTokenConsole();
    const token = await identifier();
    expect(shownPage(await asCaller(token, 'client')).text).toMatch(
      /Response 403 access_denied Why The client is not registered for grant type client_credentials/,
    );
    const api = await store.database.clients.find(aClientId('api'));
    if (api === undefined) throw new TypeError('there is no client');
    await store.database.clients.create({
      ...api,
      id: aClientId('stopped'),
      status: 'suspended',
      metadata: { ...api.metadata, resource_identifiers: [] },
    });
    expect(shownPage(await asCaller(token, 'stopped')).text).toMatch(
      /Response 401 invalid_client Why The client is suspended/,
    );
  });

  it('that does not exist is a problem of the field, and stays typed', async () => {
    const { identifier, asCaller } = await aTokenConsole();
    const token = await identifier();
    for (const caller of ['unknown', 'ä ö']) {
      const response = await asCaller(token, caller);
      expect(response.status).toBe(400);
      const page = shownPage(response);
      expect(page.alerts).toHaveLength(1);
      expect(page.forms.find(({ fields }) => 'caller' in fields)?.fields['caller']).toBe(caller);
    }
  });

  it('consumes nothing', async () => {
    const { identifier, asCaller, store } = await aTokenConsole();
    const token = await identifier();
    await asCaller(token, 'api');
    expect(shownPage(await asCaller(token, 'api')).text).toMatch(/Response active/);
    expect(
      await store.database.accessTokens.find(store.digester.availableDigests('access-token', token)),
    ).toMatchObject({ issuer: ISSUER });
  });
});
