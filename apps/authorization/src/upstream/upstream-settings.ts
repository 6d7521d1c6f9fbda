import {
  customSetting,
  type SettingsCheck,
  type SettingsProblem,
  secretSetting,
  splitList,
} from '@vestibule/service/settings';
import { UPSTREAM_ISSUER_SETTING } from '@vestibule/service/shared-settings';
import { Type } from 'typebox';

/** Scope values (RFC 6749 section 3.3), among them `openid`. */
const SCOPE = '^(?:[!#-[\\]-~]+ )*openid(?: [!#-[\\]-~]+)*$';

/** Settings of the login at another OpenID provider. */
export const UPSTREAM_SETTINGS = {
  ...UPSTREAM_ISSUER_SETTING,
  UPSTREAM_CLIENT_ID: Type.Optional(
    Type.String({
      description:
        'Client identifier of this server at UPSTREAM_ISSUER. Register it there with the redirect URI `{base_url}/upstream/callback`.',
      minLength: 1,
      maxLength: 2048,
    }),
  ),
  UPSTREAM_CLIENT_SECRET: Type.Optional(
    secretSetting({
      description:
        'Client secret of this server at UPSTREAM_ISSUER, for client_secret_basic, or client_secret_post if it supports only that.',
      form: 'a client secret',
    }),
  ),
  UPSTREAM_SCOPE: Type.String({
    description: 'Scope that is requested at UPSTREAM_ISSUER. The claims that it gives are passed on.',
    default: 'openid profile email',
    pattern: SCOPE,
    maxLength: 2048,
  }),
  UPSTREAM_ACR_VALUES: customSetting<readonly string[]>({
    description:
      'Authentication context classes of UPSTREAM_ISSUER that clients may request here; `acr` of a login is passed on if it is one of them.',
    form: 'comma-separated values',
    default: [],
    read: (text) => ({ value: splitList(text) }),
  }),
};

/** Settings that the check reads. */
interface CheckedUpstream {
  readonly UPSTREAM_ISSUER?: URL | undefined;
  readonly UPSTREAM_CLIENT_ID?: string | undefined;
  readonly UPSTREAM_CLIENT_SECRET?: unknown;
}

/** Refuses an issuer without client identifier and secret, and these without an issuer. */
export const checkUpstreamSettings: SettingsCheck<CheckedUpstream> = (settings) => {
  const hasIssuer = settings.UPSTREAM_ISSUER !== undefined;
  const problem = hasIssuer ? 'is required with UPSTREAM_ISSUER' : 'requires UPSTREAM_ISSUER';
  return (['UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET'] as const)
    .filter((name) => (settings[name] !== undefined) !== hasIssuer)
    .map((name): SettingsProblem => ({ name, problem }));
};
