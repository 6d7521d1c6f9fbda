import Type from 'typebox';
import { type JwksLocation, readJwksFileSync } from '../settings/jwks-location.js';
import type { SettingsCheck } from '../settings/load-settings.js';
import { parseServerUrl, serverUrlProblem } from '../settings/server-url.js';
import { customSetting, type Reading } from '../settings/setting.js';

const FORM = 'an https URL, or the path of a file';

/** Setting of services that read the tokens of an authorization server of the operator. */
export const AUTHORIZATION_SERVER_SETTINGS = {
  AUTHORIZATION_SERVER_JWKS: Type.Optional(
    customSetting<JwksLocation>({
      description:
        'JWK Set of an authorization server of yours whose tokens have BASE_URL as `iss`. JWT access tokens and ID token hints that its keys verify are accepted too. http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only. introspection, logout and authorization must use the same value.',
      form: FORM,
      read: readLocation,
    }),
  ),
};

/** Settings that the check reads. */
interface CheckedAuthorizationServer {
  readonly AUTHORIZATION_SERVER_JWKS?: JwksLocation | undefined;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a host that cannot be allowed, and an http URL unless its host is a loopback address or in EGRESS_ALLOW_HOSTS. */
export const checkAuthorizationServerSettings: SettingsCheck<CheckedAuthorizationServer> = ({
  AUTHORIZATION_SERVER_JWKS: location,
  EGRESS_ALLOW_HOSTS,
}) => {
  if (location?.kind !== 'url') return [];
  const problem = serverUrlProblem(location.url, EGRESS_ALLOW_HOSTS);
  return problem === undefined ? [] : [{ name: 'AUTHORIZATION_SERVER_JWKS', problem }];
};

function readLocation(text: string): Reading<JwksLocation> {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return readUrl(text);
  const result = readJwksFileSync(text);
  return result.ok
    ? { value: { kind: 'file', path: text } }
    : { problem: `must name a file with a JWK Set of public keys: ${result.reason}` };
}

function readUrl(text: string): Reading<JwksLocation> {
  const url = parseServerUrl(text);
  return url === undefined
    ? { problem: `must be ${FORM}; a URL has no user name and no fragment` }
    : { value: { kind: 'url', url } };
}
