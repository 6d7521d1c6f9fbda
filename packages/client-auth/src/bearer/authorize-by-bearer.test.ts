import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import { introspectionEndpoint } from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { grantIntrospection } from '../introspection-caller.js';
import { clientFixture, ISSUER } from '../testing/client-fixture.js';
import { authorizeByBearer } from './authorize-by-bearer.js';
import type { BearerAccess } from './bearer-access.js';

const ENDPOINT = introspectionEndpoint(ISSUER);
const OPERATION = { method: 'POST', address: ENDPOINT } as const;
const ACCESS: BearerAccess = {
  clientId: 'rs1' as ClientId,
  scope: `read ${ENDPOINT}`,
  audience: [],
};

async function authorize(
  deviation: Partial<BearerAccess> | undefined,
  form = {},
  token: string | undefined = 't',
) {
  const fixture = await clientFixture();
  fixture.register();
  const access = deviation === undefined ? undefined : { ...ACCESS, ...deviation };
  const deps = {
    ...fixture,
    issuer: ISSUER,
    operation: OPERATION,
    bearerAccess: { read: async () => access },
  };
  return authorizeByBearer(deps, { authorization: 'Bearer t', scheme: 'Bearer', token, form });
}

describe('authorizeByBearer', () => {
  it('identifies the caller by the client of its token', async () => {
    expect(await authorize({})).toMatchObject({ clientId: 'rs1', client: { id: 'rs1' } });
    for (const audience of [[ISSUER], [ENDPOINT], ['rs2', ENDPOINT]])
      expect(await authorize({ audience })).toMatchObject({ clientId: 'rs1', client: { id: 'rs1' } });
  });

  it('refuses a token without the scope of the endpoint as access denied', async () => {
    for (const scope of ['', 'read', ISSUER, `${ENDPOINT}/`, ENDPOINT.toUpperCase(), `x${ENDPOINT}`])
      await expect(authorize({ scope }), scope).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('refuses every other token, with a Bearer challenge', async () => {
    const bad: (Partial<BearerAccess> | undefined)[] = [
      undefined,
      { clientId: 'unknown' as ClientId },
      { audience: ['rs1'] },
      { audience: ['https://elsewhere.example'] },
      { confirmation: { jkt: 't' } },
      { confirmation: { 'x5t#S256': 't' } },
      { confirmation: { other: 't' } },
    ];
    for (const deviation of bad)
      await expect(authorize(deviation)).rejects.toMatchObject({ code: 'invalid_client', scheme: 'Bearer' });
  });

  it('refuses text that is not a token without looking it up', async () => {
    const fixture = await clientFixture();
    const read = () => expect.fail('looked up');
    const deps = { ...fixture, issuer: ISSUER, operation: OPERATION, bearerAccess: { read } };
    const request = { authorization: 'Bearer', scheme: 'Bearer', token: undefined, form: {} } as const;
    await expect(authorizeByBearer(deps, request)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  it('refuses a token of a client that has expired or is pending approval', async () => {
    for (const deviation of [{ expiresAt: 1 as EpochSeconds }, { status: 'pending' as const }]) {
      const fixture = await clientFixture();
      fixture.register(deviation);
      const deps = {
        ...fixture,
        issuer: ISSUER,
        operation: OPERATION,
        bearerAccess: { read: async () => ACCESS },
      };
      const attempt = authorizeByBearer(deps, {
        authorization: 'Bearer t',
        scheme: 'Bearer',
        token: 't',
        form: {},
      });
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_client' });
    }
  });

  it('refuses further credentials, and a client_id other than that of the token', async () => {
    for (const form of [{ client_secret: 'x' }, { client_assertion: 'x' }, { client_id: 'rs2' }])
      await expect(authorize({}, form)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await authorize({}, { client_id: 'rs1' })).toMatchObject({
      clientId: 'rs1',
      client: { id: 'rs1' },
    });
  });
});

describe('grantIntrospection', () => {
  it('requires the grant client_credentials and the address of the endpoint in the scope (introspection/API.md#callers)', async () => {
    const fixture = await clientFixture();
    expect(grantIntrospection(fixture.register(), ISSUER)).toMatchObject({
      clientId: 'rs1',
      client: { id: 'rs1' },
    });
    const lacking = [
      { grant_types: ['authorization_code'] },
      { grant_types: [] },
      { scope: undefined },
      { scope: '' },
      { scope: 'read' },
      { scope: `${ENDPOINT}/` },
      { scope: `${ENDPOINT}?x` },
    ];
    for (const metadata of lacking)
      expect(() => grantIntrospection(fixture.register({}, metadata), ISSUER)).toThrow(
        expect.objectContaining({ code: 'access_denied' }),
      );
  });
});
