// Copies the clients that registered with Vestibule to Keycloak: new ones, changes and deletions.
import { keycloak, vestibule } from './requests.mjs';

/** Marks the clients that this program created. */
const MARK = 'vestibule.copy';
/** The members of RFC 7591 that Keycloak translates; it refuses a description with others. */
const MEMBERS = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'token_endpoint_auth_signing_alg',
  'jwks',
  'jwks_uri',
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'scope',
  'subject_type',
  'id_token_signed_response_alg',
  'backchannel_logout_uri',
  'backchannel_logout_session_required',
  'frontchannel_logout_uri',
  'tls_client_auth_subject_dn',
];

const registered = [
  ...(await vestibule('GET', '/clients?origin=registration&status=active')),
  ...(await vestibule('GET', '/clients?origin=open_registration&status=active')),
];
const copies = (await keycloak('GET', '/clients')).filter(({ attributes }) => attributes?.[MARK] === 'true');

for (const client of registered) {
  const known = Object.entries(client).filter(([name]) => MEMBERS.includes(name));
  const translated = await keycloak('POST', '/client-description-converter', {
    redirect_uris: [],
    ...Object.fromEntries(known),
  });
  const copy = {
    ...translated,
    clientId: client.client_id,
    secret: client.client_secret,
    // `basic` adds the claim `sub`.
    defaultClientScopes: ['basic'],
    attributes: { ...translated.attributes, [MARK]: 'true' },
  };
  const earlier = copies.find(({ clientId }) => clientId === client.client_id);
  if (earlier === undefined) await keycloak('POST', '/clients', copy);
  else await keycloak('PUT', `/clients/${earlier.id}`, { ...copy, id: earlier.id });
}

const ids = new Set(registered.map(({ client_id }) => client_id));
for (const { id, clientId } of copies) if (!ids.has(clientId)) await keycloak('DELETE', `/clients/${id}`);
