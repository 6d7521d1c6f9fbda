import { nowSeconds } from '@vestibule/protocol';
import { JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import {
  createEntityKey,
  type FederationEntity,
  type ResponseFault,
  type StatementChanges,
} from '@vestibule/testkit/federation';
import { expect, it } from 'vitest';
import { ISSUER, signedResponse, startFederation } from '../support/test-federation.js';

const PATH = '/keys.jwt';

interface Served {
  readonly typ?: string;
  readonly contentType?: string;
  readonly fault?: ResponseFault;
  readonly changes?: StatementChanges;
}

async function aKeyWorld() {
  const fixture = await startFederation();
  const key = await createEntityKey();
  const jwks = { keys: [key.publicJwk] };
  const serve = (member: FederationEntity, { typ, contentType, fault, changes }: Served = {}) =>
    member.documents.set(PATH, {
      contentType: contentType ?? MEDIA_TYPE.jwkSetJwt,
      text: () =>
        member.signOther(typ ?? JWT_TYP.jwkSet, { ...jwks, iss: member.id, sub: member.id }, changes),
      ...(fault !== undefined && { fault }),
    });
  const member = async (metadata: Record<string, string | object> = {}) => {
    const entity = await fixture.relyingParty({
      metadata: { token_endpoint_auth_method: 'private_key_jwt', ...metadata } as never,
    });
    Object.assign(entity.metadata['openid_relying_party'] ?? {}, {
      signed_jwks_uri: metadata['signed_jwks_uri'] ?? `${entity.id}${PATH}`,
    });
    serve(entity);
    return entity;
  };
  const registers = async (entity: FederationEntity) =>
    fixture.register(await fixture.registrationRequest(entity, ISSUER));
  return { ...fixture, jwks, serve, member, registers };
}

it('registers the keys of a signed key set as jwks, until the key set ends', async () => {
  const { clock, jwks, serve, member, registers, clients } = await aKeyWorld();
  const entity = await member();
  const exp = nowSeconds(clock) + 600;
  serve(entity, { changes: { claims: { exp } } });
  const response = await registers(entity);
  expect(response.status).toBe(200);
  const { claims } = signedResponse(response);
  expect(claims).toMatchObject({ exp, metadata: { openid_relying_party: { jwks } } });
  const [client] = await clients();
  expect(client).toMatchObject({ metadata: { jwks }, expiresAt: exp });
});

it('refuses an unavailable or untrusted signed key set with 401, and an unusable address with 400', async () => {
  const { clock, anchor, serve, member, registers } = await aKeyWorld();
  const entity = await member();
  const now = nowSeconds(clock);
  const rows: readonly (readonly [title: string, Served])[] = [
    ['without typ', { changes: { header: { typ: undefined } } }],
    ['of another type', { typ: JWT_TYP.entityStatement }],
    ['without kid', { changes: { header: { kid: undefined } } }],
    ['by another issuer', { changes: { claims: { iss: anchor.id } } }],
    ['of another owner', { changes: { claims: { sub: anchor.id } } }],
    ['without issuer', { changes: { claims: { iss: undefined } } }],
    ['expired', { changes: { claims: { exp: now } } }],
    ['of the future', { changes: { claims: { iat: now + 31 } } }],
    ['signed with a key of another entity', { changes: { key: await createEntityKey() } }],
    ['of another media type', { contentType: MEDIA_TYPE.jwkSet }],
    ['not there', { fault: 'not_found' }],
  ];
  for (const [title, served] of rows) {
    serve(entity, served);
    expect(await registers(entity), title).toMatchObject({ status: 401 });
  }
  serve(entity, { changes: { claims: { keys: [] } } });
  expect(await registers(entity)).toMatchObject({ status: 400 });
  serve(entity);
  expect(await registers(entity)).toMatchObject({ status: 200 });
  const elsewhere = await member({ signed_jwks_uri: 'http://keys.example/jwks' });
  const refused = await registers(elsewhere);
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([
    400,
    { error: 'invalid_client_metadata' },
  ]);
});

it('ignores signed_jwks_uri if jwks is present', async () => {
  const { jwks, member, registers } = await aKeyWorld();
  const entity = await member({ jwks });
  expect(await registers(entity)).toMatchObject({ status: 200 });
  expect(entity.requestedPaths).not.toContain(PATH);
});
