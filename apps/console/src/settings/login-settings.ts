import {
  customSetting,
  isLoopback,
  parseServerUrl,
  type Reading,
  type SettingsCheck,
  type SettingsProblem,
  secretSetting,
  serverUrlProblem,
} from '@vestibule/service/settings';
import { Type } from 'typebox';
import { SCOPE_CLAIM } from '../login/role-claim.js';

/** Scope values (RFC 6749 section 3.3), among them `openid`. */
const SCOPE = '^(?:[!#-[\\]-~]+ )*openid(?: [!#-[\\]-~]+)*$';

const ORIGIN_FORM = 'an absolute https URL without path';
const ISSUER_FORM = 'an https URL without user name, query and fragment';

/** Settings of the login at the OpenID provider, and of the roles that it gives. */
export const LOGIN_SETTINGS = {
  CONSOLE_URL: customSetting<string>({
    description:
      'Address of the console, as browsers see it: a host of its own. https, or http on a loopback address.',
    form: ORIGIN_FORM,
    read: readOrigin,
  }),
  CONSOLE_OPENID_PROVIDER: Type.Optional(
    customSetting<URL>({
      description:
        'Issuer of the OpenID provider at which operators log in. Default: BASE_URL. It may be on an internal network. http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only.',
      form: ISSUER_FORM,
      read: readIssuer,
    }),
  ),
  CONSOLE_OPENID_PROVIDER_ADDRESS: Type.Optional(
    customSetting<URL>({
      description:
        'Address at which this process reaches that provider, if it cannot use the issuer: inside a container network, for example. Requests to URLs below the issuer go there.',
      form: 'an absolute http or https URL without user name, query and fragment',
      read: readIssuer,
    }),
  ),
  CONSOLE_CLIENT_ID: Type.String({
    description: 'Client identifier of the console at the provider.',
    default: 'vestibule-console',
    minLength: 1,
    maxLength: 255,
  }),
  CONSOLE_CLIENT_SECRET: Type.Optional(
    secretSetting({
      description:
        'Client secret of the console, for client_secret_basic, or client_secret_post if the provider supports only that. Without it the console is a public client with PKCE, and registers itself in the store unless CONSOLE_OPENID_PROVIDER is set.',
      form: 'a client secret',
    }),
  ),
  CONSOLE_SCOPE: Type.String({
    description: 'Scope that the login requests.',
    default: 'openid profile',
    pattern: SCOPE,
    maxLength: 2048,
  }),
  CONSOLE_ROLE_CLAIM: Type.String({
    description:
      'Claim of the ID token or the UserInfo response with the roles of a person: a string or an array of strings. `scope` stands for the granted scope, and requires CONSOLE_OPENID_PROVIDER: a provider that grants its values to operators alone.',
    default: 'roles',
    minLength: 1,
    maxLength: 255,
  }),
  CONSOLE_VIEWER_VALUES: roleValues('viewer', 'who may open pages'),
  CONSOLE_OPERATOR_VALUES: roleValues(
    'operator',
    'who also makes everyday changes to one client, token or session',
  ),
  CONSOLE_ADMIN_VALUES: roleValues(
    'admin',
    'who may also delete clients, end all sessions and tokens of an end-user, change keys and grant elevated scopes',
  ),
  CONSOLE_SESSION_SECONDS: Type.Integer({
    description:
      'How long a session lasts at most, in seconds. The role of a person stays as it was at the login.',
    default: 28_800,
    minimum: 300,
    maximum: 86_400,
  }),
};

function roleValues(role: string, meaning: string) {
  return Type.Array(Type.String(), {
    description: `Values of CONSOLE_ROLE_CLAIM that give the role ${role}: ${meaning}.`,
    default: [role],
  });
}

/** Settings that the check reads. */
interface CheckedLogin {
  readonly CONSOLE_OPENID_PROVIDER?: URL | undefined;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a provider whose host cannot be allowed, and one over http beyond loopback and EGRESS_ALLOW_HOSTS. */
export const checkLoginProvider: SettingsCheck<CheckedLogin> = ({
  CONSOLE_OPENID_PROVIDER: issuer,
  EGRESS_ALLOW_HOSTS: allowHosts,
}) => {
  const problem = issuer && serverUrlProblem(issuer, allowHosts);
  return problem === undefined ? [] : [{ name: 'CONSOLE_OPENID_PROVIDER', problem }];
};

/** Refuses settings without any value that gives a role: no login would be possible. */
export const checkRoleValues: SettingsCheck<{
  readonly CONSOLE_VIEWER_VALUES: readonly string[];
  readonly CONSOLE_OPERATOR_VALUES: readonly string[];
  readonly CONSOLE_ADMIN_VALUES: readonly string[];
}> = ({ CONSOLE_VIEWER_VALUES, CONSOLE_OPERATOR_VALUES, CONSOLE_ADMIN_VALUES }) => {
  const values = [...CONSOLE_VIEWER_VALUES, ...CONSOLE_OPERATOR_VALUES, ...CONSOLE_ADMIN_VALUES];
  const problem: SettingsProblem = {
    name: 'CONSOLE_ADMIN_VALUES',
    problem: 'must not be empty if the other roles have no values either',
  };
  return values.length > 0 ? [] : [problem];
};

/** At the authorization server, end-users grant clients their scope themselves; so they must not give themselves roles. */
export const checkRoleScope: SettingsCheck<{
  readonly CONSOLE_ROLE_CLAIM: string;
  readonly CONSOLE_OPENID_PROVIDER?: URL | undefined;
}> = ({ CONSOLE_ROLE_CLAIM, CONSOLE_OPENID_PROVIDER }) => {
  const problem: SettingsProblem = {
    name: 'CONSOLE_ROLE_CLAIM',
    problem: 'must not be scope unless CONSOLE_OPENID_PROVIDER is set',
  };
  return CONSOLE_ROLE_CLAIM === SCOPE_CLAIM && CONSOLE_OPENID_PROVIDER === undefined ? [problem] : [];
};

function readOrigin(text: string): Reading<string> {
  const url = parseServerUrl(text);
  if (url === undefined || url.pathname !== '/' || url.search !== '' || text.endsWith('?'))
    return { problem: `must be ${ORIGIN_FORM}` };
  return url.protocol === 'https:' || isLoopback(url.hostname)
    ? { value: url.origin }
    : { problem: 'must be an https URL unless it is on a loopback address' };
}

function readIssuer(text: string): Reading<URL> {
  const url = parseServerUrl(text);
  return url === undefined || url.search !== '' ? { problem: `must be ${ISSUER_FORM}` } : { value: url };
}
