import type { MemberDifference } from '../../frame/difference.js';
import type { LoginClient } from '../../login/login-client.js';

/** Members of which a login does not depend; in each language. */
const INDEPENDENT: ReadonlySet<string> = new Set([
  'client_name',
  'client_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'contacts',
  'data',
  'software_id',
  'software_version',
  'initiate_login_uri',
  'post_logout_redirect_uris',
  'backchannel_logout_uri',
  'backchannel_logout_session_required',
  'frontchannel_logout_uri',
  'frontchannel_logout_session_required',
]);

/** Values that members must keep; they may have others. */
const NEEDED: Readonly<Record<string, (client: LoginClient) => readonly string[]>> = {
  redirect_uris: ({ redirectUri }) => [redirectUri],
  grant_types: () => ['authorization_code'],
  response_types: () => ['code'],
  scope: ({ scope }) => scope.split(' '),
};

/** Says, by member, why a change of the client of the console would end every login. */
export function lockoutsByEdit(
  client: LoginClient,
  changes: readonly MemberDifference[],
): Readonly<Record<string, string>> {
  const lockouts: Record<string, string> = {};
  for (const { name, after } of changes) {
    const problem = INDEPENDENT.has(name.split('#')[0] ?? '')
      ? undefined
      : problemOf(NEEDED[name]?.(client), after);
    if (problem !== undefined)
      lockouts[name] = `${name}: ${problem} At the command line: vestibule clients update ${client.clientId}`;
  }
  return lockouts;
}

function problemOf(needed: readonly string[] | undefined, after: unknown): string | undefined {
  if (needed === undefined) return 'the login of the console may depend on it: it must stay as it is.';
  const values = valuesOf(after);
  const missing = needed.filter((value) => !values.includes(value));
  return missing.length === 0 ? undefined : `the login of the console needs ${missing.join(' ')}.`;
}

function valuesOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) ? value : [];
}
