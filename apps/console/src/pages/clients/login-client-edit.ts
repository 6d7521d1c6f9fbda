import type { MemberDifference } from '../../frame/difference.js';
import type { LoginClient } from '../../login/login-client.js';

/** Members that no login depends on, in every language. */
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

/**
 * Says, by member, why a change of the client of the console is refused. Most would end every login; another redirect URI
 * would get codes of logins.
 */
export function lockoutsByEdit(
  { clientId, scope }: LoginClient,
  changes: readonly MemberDifference[],
): Readonly<Record<string, string>> {
  const lockouts: Record<string, string> = {};
  for (const { name, after } of changes) {
    if (INDEPENDENT.has(name.split('#')[0] ?? '')) continue;
    const problem =
      name === 'scope'
        ? missingScope(scope, after)
        : 'the login of the console may depend on it: it must stay as it is.';
    if (problem !== undefined)
      lockouts[name] = `${name}: ${problem} At the command line: vestibule clients update ${clientId}`;
  }
  return lockouts;
}

function missingScope(needed: string, after: unknown): string | undefined {
  const values = typeof after === 'string' ? after.split(' ') : [];
  const missing = needed.split(' ').filter((value) => !values.includes(value));
  return missing.length === 0 ? undefined : `the login of the console needs ${missing.join(' ')}.`;
}
