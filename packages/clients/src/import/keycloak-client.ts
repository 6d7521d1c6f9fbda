import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import { isIdle, textMember } from './entry-members.js';
import type { ExportedClient, ExportedSecret } from './exported-client.js';
import { keycloakAttributes } from './keycloak-attributes.js';
import { keycloakFlows } from './keycloak-flows.js';
import { keycloakUris } from './keycloak-uris.js';

/** Clients that Keycloak creates itself in every realm. */
const BUILT_IN = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
];

/** Client authentication methods by Keycloak authenticator. */
const METHODS: Readonly<Record<string, string>> = {
  'client-secret': 'client_secret_basic',
  'client-jwt': 'private_key_jwt',
  'client-secret-jwt': 'client_secret_jwt',
  'client-x509': 'tls_client_auth',
};

/** Members that cannot be taken over but affect what the client may do. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  description: 'The description is not carried over.',
  adminUrl: 'The admin URL has no equivalent.',
  webOrigins: 'Web origins (CORS) are not carried over: configure them at the authorization server.',
  consentRequired: 'The consent setting is not carried over: configure it at the authorization server.',
  authenticationFlowBindingOverrides:
    'Authentication flow overrides are not carried over: configure them at the authorization server.',
  protocolMappers: 'Protocol mappers are not carried over: configure claims at the authorization server.',
};

/**
 * Reads a Keycloak client from a realm export (`clients`) or `kcadm get clients`. Skips clients of other protocols,
 * Keycloak's built-in clients, disabled clients (which would be enabled here), bearer-only clients, and clients with an
 * unsupported authentication method.
 */
export function readKeycloakClient(entry: JsonObject): ExportedClient {
  const id = textMember(entry, 'clientId');
  if (id === undefined) return { kind: 'passed_over', reason: 'The entry has no clientId.' };
  const reason = reasonToPassOver(entry, id);
  if (reason !== undefined) return { kind: 'passed_over', id, reason };
  const given = present(entry, 'attributes');
  const attributes = isJsonObject(given) ? given : {};
  const parts = [
    authentication(entry, attributes),
    keycloakFlows(entry, attributes),
    keycloakUris(entry),
    keycloakAttributes(attributes),
    subjectType(entry),
  ];
  const name = textMember(entry, 'name');
  return {
    kind: 'client',
    id,
    metadata: Object.assign(
      name === undefined || isPlaceholder(name) ? {} : { client_name: name },
      ...parts.map(({ metadata }) => metadata),
    ),
    secret: secretOf(entry),
    warnings: [...parts.flatMap(({ warnings }) => warnings), ...leftBehind(entry)],
  };
}

interface ReadPart {
  readonly metadata: JsonObject;
  readonly warnings: readonly string[];
}

function reasonToPassOver(entry: JsonObject, id: string): string | undefined {
  const protocol = textMember(entry, 'protocol') ?? 'openid-connect';
  if (protocol !== 'openid-connect') return 'It is a client of another protocol.';
  if (BUILT_IN.includes(id) && isPlaceholder(textMember(entry, 'name') ?? ''))
    return 'It is a built-in client of Keycloak.';
  if (entry['enabled'] === false) return 'It is disabled.';
  if (entry['bearerOnly'] === true) return 'It only receives tokens (bearer-only).';
  return authMethod(entry) === undefined ? 'Its authentication method is not supported.' : undefined;
}

/** Names such as `${client_account}` are translation keys of Keycloak. */
function isPlaceholder(name: string): boolean {
  return name.startsWith('${');
}

function authMethod(entry: JsonObject): string | undefined {
  if (entry['publicClient'] === true) return 'none';
  const type = textMember(entry, 'clientAuthenticatorType') ?? 'client-secret';
  return Object.hasOwn(METHODS, type) ? METHODS[type] : undefined;
}

function authentication(entry: JsonObject, attributes: JsonObject): ReadPart {
  const method = authMethod(entry) ?? 'client_secret_basic';
  if (method === 'client_secret_basic') return withSecret(attributes);
  if (method !== 'tls_client_auth') return { metadata: { token_endpoint_auth_method: method }, warnings: [] };
  const isPattern = attributes['x509.allow.regex.pattern.comparison'] === 'true';
  const subject = isPattern ? undefined : textMember(attributes, 'x509.subjectdn');
  return {
    metadata: {
      token_endpoint_auth_method: method,
      ...(subject !== undefined && { tls_client_auth_subject_dn: subject }),
    },
    warnings: isPattern ? ['The certificate subject is a pattern, which is not supported.'] : [],
  };
}

function withSecret(attributes: JsonObject): ReadPart {
  const allowed = textMember(attributes, 'client.secret.authentication.allowed.method');
  if (allowed === 'client_secret_basic' || allowed === 'client_secret_post')
    return { metadata: { token_endpoint_auth_method: allowed }, warnings: [] };
  return {
    metadata: { token_endpoint_auth_method: 'client_secret_basic' },
    warnings: [
      'Keycloak accepts the secret in header and body; here the client must use client_secret_basic.',
    ],
  };
}

const PAIRWISE = 'oidc-sha256-pairwise-sub-mapper';

function subjectType(entry: JsonObject): ReadPart {
  const mappers = present(entry, 'protocolMappers');
  const pairwise = (Array.isArray(mappers) ? mappers : [])
    .filter(isJsonObject)
    .find((mapper) => mapper['protocolMapper'] === PAIRWISE);
  if (pairwise === undefined) return { metadata: {}, warnings: [] };
  const config = present(pairwise, 'config');
  const sector = isJsonObject(config) ? textMember(config, 'sectorIdentifierUri') : undefined;
  return {
    metadata: {
      subject_type: 'pairwise',
      ...(sector !== undefined && { sector_identifier_uri: sector }),
    },
    warnings: ['Pairwise subjects are computed differently: users get new identifiers.'],
  };
}

const MASKED = /^\*+$/;

function secretOf(entry: JsonObject): ExportedSecret {
  if (entry['publicClient'] === true) return { kind: 'none' };
  const hash = textMember(entry, 'client_secret_hash');
  if (hash !== undefined) return { kind: 'hashed', value: hash, member: 'client_secret_hash' };
  const value = textMember(entry, 'secret');
  if (value === undefined)
    return authMethod(entry)?.startsWith('client_secret_') === true
      ? { kind: 'lost', reason: 'The export has no secret.' }
      : { kind: 'none' };
  if (MASKED.test(value))
    return { kind: 'lost', reason: 'The export masks the secret: use kcadm get clients or kc.sh export.' };
  if (isPlaceholder(value)) return { kind: 'lost', reason: 'The secret is a vault reference.' };
  return { kind: 'given', value };
}

function leftBehind(entry: JsonObject): readonly string[] {
  return Object.entries(LEFT_BEHIND).flatMap(([name, warning]) =>
    isIdle(present(entry, name)) ? [] : [warning],
  );
}
