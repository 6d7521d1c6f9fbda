import type { JsonObject } from '@vestibule/protocol/json';
import { textMember, textsMember } from './entry-members.js';

/** The flows of a client. */
export interface KeycloakFlows {
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
}

const HYBRID = ['code id_token', 'code token', 'code id_token token'];
const IMPLICIT = ['id_token', 'id_token token', 'token'];

/** Scopes that control the content of Keycloak's tokens; clients do not request them by name. */
const INTERNAL_SCOPES = ['acr', 'basic', 'role_list', 'roles', 'service_account', 'web-origins'];

/** Grant types that Keycloak supports but cannot be registered here, by the attribute that enables each. */
const LEFT_BEHIND: readonly (readonly [attribute: string, grant: string])[] = [
  ['oauth2.device.authorization.grant.enabled', 'The device authorization grant'],
  ['oidc.ciba.grant.enabled', 'The CIBA grant'],
  ['standard.token.exchange.enabled', 'Token exchange'],
];

/** Converts the flow switches of a Keycloak client into grant types, response types and scope. */
export function keycloakFlows(entry: JsonObject, attributes: JsonObject): KeycloakFlows {
  const hasCode = entry['standardFlowEnabled'] !== false;
  const isImplicit = entry['implicitFlowEnabled'] === true;
  const hasPassword = entry['directAccessGrantsEnabled'] === true;
  const refreshes = attributes['use.refresh.tokens'] !== 'false' && (hasCode || hasPassword);
  return {
    metadata: {
      grant_types: [
        ...(hasCode ? ['authorization_code'] : []),
        ...(isImplicit ? ['implicit'] : []),
        ...(refreshes ? ['refresh_token'] : []),
        ...(hasPassword ? ['password'] : []),
        ...(entry['serviceAccountsEnabled'] === true ? ['client_credentials'] : []),
        ...(attributes['oauth2.jwt.authorization.grant.enabled'] === 'true'
          ? ['urn:ietf:params:oauth:grant-type:jwt-bearer']
          : []),
      ],
      response_types: [
        ...(hasCode ? ['code'] : []),
        ...(isImplicit ? IMPLICIT : []),
        ...(hasCode && isImplicit ? HYBRID : []),
      ],
      ...scopeOf(entry, hasCode || isImplicit || hasPassword),
    },
    warnings: [
      ...LEFT_BEHIND.flatMap(([attribute, grant]) =>
        textMember(attributes, attribute) === 'true' ? [`${grant} is not supported.`] : [],
      ),
      ...(entry['authorizationServicesEnabled'] === true
        ? ['Authorization services (UMA) have no equivalent.']
        : []),
    ],
  };
}

// Keycloak lets every client request openid; the other scopes are assigned ones.
function scopeOf(entry: JsonObject, logsIn: boolean): JsonObject {
  const given = [...textsMember(entry, 'defaultClientScopes'), ...textsMember(entry, 'optionalClientScopes')];
  const assigned = given.filter((value) => !INTERNAL_SCOPES.includes(value));
  const values = [...new Set([...(logsIn ? ['openid'] : []), ...assigned])];
  return values.length === 0 ? {} : { scope: values.join(' ') };
}
