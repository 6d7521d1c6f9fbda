// Adds the client scope `orders` to Keycloak, whose access tokens are for the resource server https://orders.example.
import { keycloak } from './requests.mjs';

await keycloak('POST', '/client-scopes', {
  name: 'orders',
  protocol: 'openid-connect',
  attributes: { 'include.in.token.scope': 'true' },
  protocolMappers: [
    {
      name: 'audience of the orders API',
      protocol: 'openid-connect',
      protocolMapper: 'oidc-audience-mapper',
      config: { 'included.custom.audience': 'https://orders.example', 'access.token.claim': 'true' },
    },
  ],
});
const { id } = (await keycloak('GET', '/client-scopes')).find(({ name }) => name === 'orders');
// For clients that are created from now on, and for the one that exists.
await keycloak('PUT', `/default-optional-client-scopes/${id}`);
const [web] = await keycloak('GET', '/clients?clientId=web');
await keycloak('PUT', `/clients/${web.id}/optional-client-scopes/${id}`);
