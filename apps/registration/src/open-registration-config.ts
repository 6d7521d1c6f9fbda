import {
  type OpenRegistrationSettings,
  openGrantedScopes,
  type RegistrationLimits,
  registrationLimits,
} from '@vestibule/clients/registration';
import { type ExtensionGrantType, isExtensionGrantType } from '@vestibule/protocol/constants';
import type { RateLimitStore } from '@vestibule/protocol/rate-limits';
import { customSetting, splitList } from '@vestibule/service/settings';
import { OAUTH_SETTINGS } from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';

const Count = (description: string, fallback: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum: 1_000_000_000 });
const PerHour = (whose: string, fallback: number) =>
  Count(`Registration attempts per hour ${whose}; 0 for no limit.`, fallback);

const EXTENSION_GRANTS_FORM = 'comma-separated URIs of grant types';

/** Settings of registrations without a token, and rate limits of registrations and updates. */
export const OPEN_REGISTRATION_SETTINGS = {
  OPEN_REGISTRATION_APPROVAL: Type.Boolean({
    description:
      'Whether clients registered without a token wait for approval, and again after each change with their registration access token.',
    default: false,
  }),
  OPEN_REGISTRATION_GRANT_TYPES: customSetting<readonly ExtensionGrantType[]>({
    description:
      'Extension grant types that clients may also register without a token, a subset of REGISTRABLE_GRANT_TYPES.',
    form: EXTENSION_GRANTS_FORM,
    default: [],
    read: (text) => {
      const parts = splitList(text);
      return parts.every(isExtensionGrantType)
        ? { value: parts }
        : { problem: `must be ${EXTENSION_GRANTS_FORM}` };
    },
  }),
  OPEN_REGISTRATION_EXCESS: Type.Enum(['refuse', 'omit'], {
    description:
      'What happens if a registration without a token, or a later update by that client, asks for more than anyone may have: it is refused, or registered without the excess, as the response shows. A registration left without a grant type is refused.',
    default: 'refuse',
  }),
  OPEN_REGISTRATION_REUSE: Type.Boolean({
    description:
      'Whether a registration without a token that repeats an earlier one gets the same client, if the client does not authenticate. Loopback ports make no difference. Such a client belongs to every installation of the software, so none gets a registration access token.',
    default: false,
  }),
  UNUSED_CLIENT_LIFETIME_SECONDS: Type.Integer({
    description:
      'How long a client registered without a token stays if it is not used, in seconds; 0 for ever. Until the first use, responses say when it ends, in `expires_at`.',
    default: 0,
    minimum: 0,
    maximum: 315_360_000,
  }),
  MAX_UNUSED_OPEN_CLIENTS: Count(
    'Maximum number of unused clients registered without a token; beyond it, registration needs a token. One network (/24, /56) may hold at most as many as it leaves room for. 0 for no limit.',
    10_000,
  ),
  OPEN_CLIENT_SECRET_LIFETIME_SECONDS: Type.Integer({
    description:
      'Lifetime of the secret of a client registered without a token, in seconds; 0 for the lifetime of other secrets.',
    default: 0,
    minimum: 0,
    maximum: 3_153_600_000,
  }),
  OPEN_REGISTRATIONS_PER_HOUR: PerHour('without a token', 10_000),
  OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: PerHour('without a token from one network (/24, /56)', 300),
  OPEN_REGISTRATIONS_PER_HOUR_AND_SOFTWARE: PerHour('without a token with one software_id', 1_000),
  REGISTRATIONS_PER_HOUR_AND_INITIAL_TOKEN: PerHour('with one initial access token', 1_000),
  UPDATES_PER_HOUR_AND_CLIENT: Count(
    'Updates and patches per hour with the registration access token of one client, dry runs included; 0 for no limit.',
    600,
  ),
  SECTOR_CHECKS_PER_HOUR_AND_CLIENT: Count(
    'Updates per hour with the registration access token of one client that fetch its sector_identifier_uri, dry runs included; 0 for no limit.',
    60,
  ),
};

const Settings = Type.Object({
  ...OPEN_REGISTRATION_SETTINGS,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  RATE_LIMITS_ENABLED: Type.Boolean(),
});

/** Those settings, validated, with the one that switches all rate limits. */
export type OpenRegistrationConfig = Readonly<Static<typeof Settings>>;

/** Builds the rules of registrations without a token. The cap is switched with the rate limits. */
export function openRegistrationSettings(config: OpenRegistrationConfig): OpenRegistrationSettings {
  return {
    needsApproval: config.OPEN_REGISTRATION_APPROVAL,
    unusedLifetimeSeconds: config.UNUSED_CLIENT_LIFETIME_SECONDS,
    maxUnused: config.RATE_LIMITS_ENABLED ? config.MAX_UNUSED_OPEN_CLIENTS : 0,
    secretLifetimeSeconds: config.OPEN_CLIENT_SECRET_LIFETIME_SECONDS,
    grantedScopes: openGrantedScopes(config.OPEN_REGISTRATION_GRANT_TYPES, config.OPEN_REGISTRATION_SCOPES),
    sharesIdentical: config.OPEN_REGISTRATION_REUSE,
    omitsExcess: config.OPEN_REGISTRATION_EXCESS === 'omit',
  };
}

/** Builds the rate limits of registrations over a store; `undefined` if they are switched off. */
export function configuredLimits(
  config: OpenRegistrationConfig,
  store: RateLimitStore,
): RegistrationLimits | undefined {
  if (!config.RATE_LIMITS_ENABLED) return undefined;
  return registrationLimits(store, {
    overall: config.OPEN_REGISTRATIONS_PER_HOUR,
    perNetwork: config.OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK,
    perSoftware: config.OPEN_REGISTRATIONS_PER_HOUR_AND_SOFTWARE,
    perInitialToken: config.REGISTRATIONS_PER_HOUR_AND_INITIAL_TOKEN,
    perClient: config.UPDATES_PER_HOUR_AND_CLIENT,
    perSector: config.SECTOR_CHECKS_PER_HOUR_AND_CLIENT,
  });
}
