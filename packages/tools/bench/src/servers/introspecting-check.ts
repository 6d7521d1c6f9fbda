import type { IntrospectionResponse } from 'oauth4webapi';
import type { IntrospectingLibrary, TokenRequirements } from './api-configuration.js';

/** Introspects an access token. @returns its subject; `undefined` for one that must be refused */
export type IntrospectingCheck = (token: string) => Promise<string | undefined>;

/** The check of an API that asks for each request. Loads only the library that it uses. */
export async function introspectingCheck(
  library: IntrospectingLibrary,
  requirements: TokenRequirements,
): Promise<IntrospectingCheck> {
  const introspect = await (library === 'openid-client' ? byOpenidClient : byOauth4webapi)(requirements);
  const { audience, scope } = requirements;
  return async (token) => {
    const response = await introspect(token);
    const isAccepted =
      response.active &&
      [response.aud].flat().includes(audience) &&
      response.scope?.split(' ').includes(scope);
    return isAccepted ? response.sub : undefined;
  };
}

type Introspect = (token: string) => Promise<IntrospectionResponse>;

async function byOpenidClient(requirements: TokenRequirements): Promise<Introspect> {
  const { allowInsecureRequests, ClientSecretBasic, Configuration, tokenIntrospection } = await import(
    'openid-client'
  );
  const { issuer, introspectionEndpoint, clientId, clientSecret } = requirements;
  const server = { issuer, introspection_endpoint: introspectionEndpoint };
  const authentication = ClientSecretBasic(clientSecret);
  const configuration = new Configuration(server, clientId, clientSecret, authentication);
  allowInsecureRequests(configuration);
  return (token) => tokenIntrospection(configuration, token);
}

async function byOauth4webapi(requirements: TokenRequirements): Promise<Introspect> {
  const oauth = await import('oauth4webapi');
  const { issuer, introspectionEndpoint, clientId, clientSecret } = requirements;
  const server = { issuer, introspection_endpoint: introspectionEndpoint };
  const client = { client_id: clientId };
  const authentication = oauth.ClientSecretBasic(clientSecret);
  const loopback = { [oauth.allowInsecureRequests]: true };
  return async (token) => {
    const response = await oauth.introspectionRequest(server, client, authentication, token, loopback);
    return oauth.processIntrospectionResponse(server, client, response);
  };
}
