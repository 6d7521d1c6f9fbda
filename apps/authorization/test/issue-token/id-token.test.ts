import { secretDecryptionKeys } from '@vestibule/crypto/jwt';
import { compactDecrypt, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { buildTestApp, ISSUER, NOW } from '../support/build-test-app.js';
import { badRequest, issued, post } from '../support/calls.js';
import { verified } from '../support/key-set.js';

const NO_KEY = 'client_id: the client registered encrypted ID tokens, and there is no key to encrypt with';

describe('POST /direct-authz with openid in the scope', () => {
  it.each(['identifier', 'jwt'])(
    'adds an ID token for the client to a token of the format %s',
    async (format) => {
      const { app, register } = await buildTestApp({ ID_TOKEN_LIFETIME_SECONDS: '120' });
      const { client_id: id } = await register();
      const request = { client_id: id, sub: 'alice', scope: 'openid read', aud: ['rs1'], format };
      const response = await issued(app, request);
      expect(Object.keys(response)).toEqual([
        'access_token',
        'token_type',
        'expires_in',
        'scope',
        'id_token',
      ]);
      const { payload, protectedHeader } = await verified(app, response.id_token ?? '', {
        audience: id,
        typ: 'JWT',
      });
      expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'JWT', kid: expect.any(String) });
      expect(payload).toEqual({
        iss: ISSUER,
        sub: 'alice',
        aud: id,
        iat: NOW,
        exp: NOW + 120,
      });
    },
  );

  it('copies the details of the login into the ID token, and gives it the lifetime of the access token', async () => {
    const { app, register } = await buildTestApp({ ID_TOKEN_LIFETIME_SECONDS: '120' });
    const [{ client_id: id }, { client_id: other }] = [await register(), await register()];
    const claims = {
      nonce: 'n-0S6_WzA2Mj',
      auth_time: NOW - 60,
      acr: 'urn:mace:incommon:iap:silver',
      amr: ['pwd', 'otp'],
      azp: id,
    };
    const request = { client_id: id, sub: 'alice', scope: 'openid', expires_in: 777, ...claims };
    for (const azp of [id, other]) {
      const response = await issued(app, { ...request, azp });
      expect(response.expires_in).toBe(777);
      const { payload } = await verified(app, response.id_token ?? '');
      expect(payload).toEqual({
        iss: ISSUER,
        sub: 'alice',
        aud: id,
        iat: NOW,
        exp: NOW + 777,
        ...claims,
        azp,
      });
    }
  });

  it('refuses members of ID tokens if none is issued, and an azp that is not a client', async () => {
    const { app, register, sql } = await buildTestApp();
    const { client_id: id } = await register();
    const members = { nonce: 'n', auth_time: NOW, acr: '1', amr: ['pwd'], azp: id };
    for (const [member, value] of Object.entries(members))
      expect(
        await post(app, '/direct-authz', { client_id: id, sub: 'alice', scope: 'read', [member]: value }),
      ).toEqual(badRequest(`${member}: only allowed for an ID token; scope must contain openid`));
    for (const azp of ['unknown', `${id} `])
      expect(await post(app, '/direct-authz', { client_id: id, sub: 'alice', scope: 'openid', azp })).toEqual(
        badRequest('azp: is not a registered client'),
      );
    expect(await sql('SELECT FROM access_token')).toEqual([]);
  });

  it('has no sid if the request has none, and no ID token without openid', async () => {
    const { app, register } = await buildTestApp();
    const { client_id: id } = await register();
    const { id_token: idToken = '' } = await issued(app, { client_id: id, sub: 'alice', scope: 'openid' });
    expect((await verified(app, idToken)).payload).not.toHaveProperty('sid');
    for (const scope of ['read', 'OpenID', 'openid2', ''])
      expect(await issued(app, { client_id: id, sub: 'alice', scope })).not.toHaveProperty('id_token');
  });

  it('signs with the algorithm that the client registered', async () => {
    const { app, register } = await buildTestApp();
    for (const algorithm of ['ES256', 'EdDSA']) {
      const { client_id: id } = await register({ id_token_signed_response_alg: algorithm });
      const { id_token: idToken = '' } = await issued(app, { client_id: id, sub: 'alice', scope: 'openid' });
      expect((await verified(app, idToken)).protectedHeader.alg).toBe(algorithm);
    }
    for (const algorithm of ['HS256', 'HS384', 'HS512']) {
      const client = await register({ id_token_signed_response_alg: algorithm });
      const request = { client_id: client.client_id, sub: 'alice', scope: 'openid' };
      const { id_token: idToken = '' } = await issued(app, request);
      const options = { currentDate: new Date(NOW * 1000), audience: client.client_id, issuer: ISSUER };
      const { protectedHeader } = await jwtVerify(idToken, Buffer.from(client.client_secret ?? ''), options);
      expect(protectedHeader).toEqual({ alg: algorithm, typ: 'JWT' });
    }
  });

  it.each(['dir', 'A256KW', 'A128GCMKW'])(
    'encrypts with the secret of a client that registered %s',
    async (alg) => {
      const { app, register } = await buildTestApp();
      const client = await register({
        id_token_encrypted_response_alg: alg,
        id_token_encrypted_response_enc: 'A256GCM',
      });
      const response = await issued(app, { client_id: client.client_id, sub: 'alice', scope: 'openid' });
      const [key] = secretDecryptionKeys([client.client_secret ?? ''], { alg, enc: 'A256GCM' });
      if (key === undefined) throw new TypeError('no key');
      const { plaintext, protectedHeader } = await compactDecrypt(response.id_token ?? '', key.key);
      expect(protectedHeader).toMatchObject({ alg, enc: 'A256GCM', cty: 'JWT' });
      const { payload } = await verified(app, Buffer.from(plaintext).toString(), {
        audience: client.client_id,
      });
      expect(payload.sub).toBe('alice');
    },
  );

  it.each(['ECDH-ES', 'RSA-OAEP-256'])('encrypts to the key of a client that registered %s', async (alg) => {
    const { app, register } = await buildTestApp();
    const { publicKey, privateKey } = await generateKeyPair(alg);
    const { kty = '', ...jwk } = await exportJWK(publicKey);
    const jwks = { keys: [{ kty, kid: 'enc-1', use: 'enc', ...JSON.parse(JSON.stringify(jwk)) }] };
    const { client_id: id } = await register({ id_token_encrypted_response_alg: alg, jwks });
    const response = await issued(app, { client_id: id, sub: 'alice', scope: 'openid' });
    const { plaintext, protectedHeader } = await compactDecrypt(response.id_token ?? '', privateKey);
    expect(protectedHeader).toMatchObject({ alg, enc: 'A128CBC-HS256', cty: 'JWT', kid: 'enc-1' });
    expect((await verified(app, Buffer.from(plaintext).toString())).payload.aud).toBe(id);
  });

  it('never sends an unencrypted ID token to a client that registered encryption, and issues nothing then', async () => {
    const { app, register, sql } = await buildTestApp();
    const jwksUri = 'https://app.example/jwks';
    const { client_id: id } = await register({
      id_token_encrypted_response_alg: 'ECDH-ES',
      jwks_uri: jwksUri,
    });
    const request = { client_id: id, sub: 'alice', scope: 'openid' };
    expect(await post(app, '/direct-authz', request)).toEqual(badRequest(NO_KEY));
    expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
  });

  it('requires an end-user, and issues nothing without one', async () => {
    const { app, register, sql } = await buildTestApp();
    const { client_id: id } = await register();
    expect(await post(app, '/direct-authz', { client_id: id, scope: 'openid' })).toEqual(
      badRequest('sub: is required for an ID token'),
    );
    expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 0 }]);
  });
});
