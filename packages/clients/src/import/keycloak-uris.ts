import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import { present } from '../registration/registration-request.js';
import { textMember, textsMember } from './entry-members.js';
import { listedValues } from './keycloak-attributes.js';

/** The URIs of a client, in a form that can be compared character by character. */
export interface KeycloakUris {
  readonly metadata: JsonObject;
  readonly redirectUris: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Resolves the redirect URIs of a Keycloak client against its root URL and leaves out those with a wildcard, because
 * redirect URIs are compared exactly here (RFC 9700 section 2.1).
 */
export function keycloakUris(entry: JsonObject): KeycloakUris {
  const root = rootOf(entry);
  const redirect = exactUris('redirectUris', textsMember(entry, 'redirectUris'), root);
  const postLogout = postLogoutUris(entry, redirect, root);
  const home = absolute(textMember(entry, 'baseUrl'), root);
  return {
    metadata: {
      ...(redirect.uris.length > 0 && { redirect_uris: redirect.uris }),
      ...(postLogout.uris.length > 0 && { post_logout_redirect_uris: postLogout.uris }),
      ...(home !== undefined && { client_uri: home }),
    },
    redirectUris: redirect.uris,
    warnings: [...redirect.warnings, ...postLogout.warnings],
  };
}

interface ExactUris {
  readonly uris: readonly string[];
  readonly warnings: readonly string[];
}

function postLogoutUris(entry: JsonObject, redirect: ExactUris, root: string | undefined): ExactUris {
  const attributes = present(entry, 'attributes');
  const listed = isJsonObject(attributes) ? textMember(attributes, 'post.logout.redirect.uris') : undefined;
  const values = listed === undefined ? [] : listedValues(listed);
  const own = exactUris(
    'post.logout.redirect.uris',
    values.filter((value) => value !== '+' && value !== '-'),
    root,
  );
  // `+` stands for all redirect URIs.
  const shared = values.includes('+') ? redirect.uris : [];
  return { uris: [...new Set([...own.uris, ...shared])], warnings: own.warnings };
}

function exactUris(name: string, values: readonly string[], root: string | undefined): ExactUris {
  const exact = values.filter((value) => !value.includes('*'));
  const uris = exact.flatMap((value) => absolute(value, root) ?? []);
  const warnings: string[] = [];
  if (exact.length < values.length)
    warnings.push(`URIs with a wildcard in ${name} are left out: list every URI that is used.`);
  if (uris.length < exact.length)
    warnings.push(`Relative URIs in ${name} are left out: the client has no root URL.`);
  return { uris: [...new Set(uris)], warnings };
}

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/;

function absolute(value: string | undefined, root: string | undefined): string | undefined {
  if (value === undefined || ABSOLUTE.test(value)) return value;
  return root !== undefined && value.startsWith('/') ? `${root}${value}` : undefined;
}

/** Returns the root URL without a trailing slash; `undefined` for placeholders such as `${authBaseUrl}`. */
function rootOf(entry: JsonObject): string | undefined {
  const root = textMember(entry, 'rootUrl');
  return root !== undefined && /^https?:\/\/[^/$]/i.test(root) ? root.replace(/\/+$/, '') : undefined;
}
