import { decryptJwt } from '@vestibule/crypto/jwt';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issue, send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const insecure = { [oauth.allowInsecureRequests]: true };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;

beforeAll(async () => {
  folder = await temporaryFolder();
  stack = await startStandalone(folder.path, { REGISTRATION_CREATED_STATUS: '201' });
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

const metadata = () => ({
  client_name: 'A published client',
  grant_types: ['client_credentials'],
  response_types: [],
  scope: `${stack.baseUrl}/token/introspect`,
});

/** `openid-client` sends the secret in the form by default, whatever was registered. */
const inForm = { token_endpoint_auth_method: 'client_secret_post' };

/** The registered protection of responses, and the key to read them with. */
async function recipient(kind: string) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
  const publicJwk = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const { kty, crv, x, y } = publicJwk;
  const signed = { introspection_signed_response_alg: 'RS256' };
  const encrypted = {
    introspection_encrypted_response_alg: 'ECDH-ES',
    introspection_encrypted_response_enc: 'A256GCM',
    jwks: { keys: [{ kty, crv, x, y, kid: 'e1', use: 'enc' }] },
  };
  return {
    privateKey: pair.privateKey,
    registration: kind === 'signed' ? signed : { ...signed, ...encrypted },
  };
}

/** This library leaves decryption to the application. */
function decryptWith(key: Awaited<ReturnType<typeof recipient>>['privateKey']): oauth.JweDecryptFunction {
  return (jwe) =>
    decryptJwt(jwe, {
      keys: () => [{ algorithm: 'ECDH-ES', key }],
      algorithms: ['ECDH-ES'],
      encryptions: ['A256GCM'],
      maxLength: 16_384,
    });
}

describe('published clients', () => {
  it('oauth4webapi discovers, registers and introspects with client authentication', async () => {
    const issuer = new URL(stack.baseUrl);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, metadata(), { ...insecure, initialAccessToken }),
    );
    const token = await issue(stack, { client_id: client.client_id, sub: 'alice', scope: 'read' });
    const authentication = oauth.ClientSecretBasic(String(client.client_secret));
    const response = await oauth.introspectionRequest(server, client, authentication, token, insecure);
    const introspection = await oauth.processIntrospectionResponse(server, client, response);
    expect(introspection).toMatchObject({
      active: true,
      sub: 'alice',
      scope: 'read',
      client_id: client.client_id,
    });
  });

  it('openid-client discovers, registers and introspects with client authentication in the form', async () => {
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const configuration = await openid.dynamicClientRegistration(
      new URL(stack.baseUrl),
      { ...metadata(), ...inForm },
      undefined,
      { initialAccessToken, execute: [openid.allowInsecureRequests] },
    );
    const { client_id: id } = configuration.clientMetadata();
    const token = await issue(stack, { client_id: id, sub: 'bob', scope: 'write' });
    const introspection = await openid.tokenIntrospection(configuration, token);
    expect(introspection).toMatchObject({ active: true, sub: 'bob', scope: 'write', client_id: id });
  });

  it('openid-client registers a client that is then read, changed and deleted at its registration_client_uri', async () => {
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const configuration = await openid.dynamicClientRegistration(
      new URL(stack.baseUrl),
      metadata(),
      undefined,
      { initialAccessToken, execute: [openid.allowInsecureRequests] },
    );
    const registered = configuration.clientMetadata();
    const manage = (method: string, token: unknown, body?: object) =>
      send(String(registered['registration_client_uri']), method, String(token), body);
    const token = registered['registration_access_token'];
    const read = JSON.parse((await manage('GET', token)).text);
    expect(registered).toMatchObject(read);
    const changed = await manage('PUT', token, { ...read, client_name: 'Changed' });
    const { registration_access_token: next, ...updated } = JSON.parse(changed.text);
    expect(updated).toMatchObject({ client_id: read.client_id, client_name: 'Changed' });
    expect((await manage('DELETE', next)).status).toBe(204);
    expect((await manage('GET', next)).status).toBe(401);
  });

  it.each(['signed', 'encrypted'])('oauth4webapi validates a response that is %s', async (kind) => {
    const issuer = new URL(stack.baseUrl);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, insecure),
    );
    const { privateKey, registration } = await recipient(kind);
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { ...metadata(), ...registration },
        { ...insecure, initialAccessToken },
      ),
    );
    const token = await issue(stack, { client_id: client.client_id, sub: 'alice', scope: 'read' });
    const authentication = oauth.ClientSecretBasic(String(client.client_secret));
    const request = { ...insecure, requestJwtResponse: true };
    const response = await oauth.introspectionRequest(server, client, authentication, token, request);
    expect(response.headers.get('content-type')).toBe('application/token-introspection+jwt');
    const decrypt = { [oauth.jweDecrypt]: decryptWith(privateKey) };
    const introspection = await oauth.processIntrospectionResponse(server, client, response, decrypt);
    expect(introspection).toMatchObject({ active: true, sub: 'alice', client_id: client.client_id });
    await oauth.validateApplicationLevelSignature(server, response, insecure);
  });

  it.each(['signed', 'encrypted'])('openid-client validates a response that is %s', async (kind) => {
    const { privateKey, registration } = await recipient(kind);
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const configuration = await openid.dynamicClientRegistration(
      new URL(stack.baseUrl),
      { ...metadata(), ...inForm, ...registration },
      undefined,
      { initialAccessToken, execute: [openid.allowInsecureRequests] },
    );
    if (kind === 'encrypted')
      openid.enableDecryptingResponses(configuration, undefined, { key: privateKey, kid: 'e1' });
    openid.enableNonRepudiationChecks(configuration);
    const { client_id: id } = configuration.clientMetadata();
    const token = await issue(stack, { client_id: id, sub: 'bob', scope: 'write' });
    const introspection = await openid.tokenIntrospection(configuration, token);
    expect(introspection).toMatchObject({ active: true, sub: 'bob', client_id: id });
  });
});
