import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issue } from './support/api.js';
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
    const answer = await oauth.processIntrospectionResponse(server, client, response);
    expect(answer).toMatchObject({ active: true, sub: 'alice', scope: 'read', client_id: client.client_id });
  });

  it('openid-client discovers, registers and introspects with client authentication in the form', async () => {
    const initialAccessToken = await issue(stack, { scope: 'client-reg' });
    const configuration = await openid.dynamicClientRegistration(
      new URL(stack.baseUrl),
      { ...metadata(), token_endpoint_auth_method: 'client_secret_post' },
      undefined,
      { initialAccessToken, execute: [openid.allowInsecureRequests] },
    );
    const { client_id: id } = configuration.clientMetadata();
    const token = await issue(stack, { client_id: id, sub: 'bob', scope: 'write' });
    const answer = await openid.tokenIntrospection(configuration, token);
    expect(answer).toMatchObject({ active: true, sub: 'bob', scope: 'write', client_id: id });
  });
});
