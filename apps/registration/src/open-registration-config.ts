import {
  type OpenRegistrationSettings,
  type RateLimitStore,
  type RegistrationLimits,
  registrationLimits,
} from '@vestibule/clients';
import { type ExtensionGrantType, isExtensionGrantType } from '@vestibule/protocol';
import { customSetting, OAUTH_SETTINGS, splitList } from '@vestibule/service-kit/settings';
import { type Static, Type } from 'typebox';

const Count = (description: string, fallback: number) =>
  Type.Integer({ description, default: fallback, minimum: 0, maximum: 1_000_000_000 });
const PerHour = (whose: string, fallback: number) =>
  Count(`Registrations that may be tried in an hour ${whose}; 0 for any number.`, fallback);

const EXTENSION_GRANTS_FORM = 'comma-separated URIs of grant types';

/** The settings about registrations without a token, and about how many registrations and updates there may be. */
export const OPEN_REGISTRATION_SETTINGS = {
  OPEN_REGISTRATION_APPROVAL: Type.Boolean({
    description:
      'Whether clients that were registered without a token wait for approval, and again after each change that they make with their registration access token.',
    default: false,
  }),
  OPEN_REGISTRATION_GRANT_TYPES: customSetting<readonly ExtensionGrantType[]>({
    description:
      'Extension grant types of REGISTRABLE_GRANT_TYPES that clients may also register without a token.',
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
      'What becomes of a registration without a token that asks for more than anyone may have, and of later updates by that client: refused, or registered without it, which the response shows. One that is left without a grant type is refused.',
    default: 'refuse',
  }),
  UNUSED_CLIENT_LIFETIME_SECONDS: Type.Integer({
    description:
      'How long a client that was registered without a token waits for its first use before it ends, in seconds; 0 for ever. Until then responses say when, in `expires_at`.',
    default: 0,
    minimum: 0,
    maximum: 315_360_000,
  }),
  MAX_UNUSED_OPEN_CLIENTS: Count(
    'Most clients that were registered without a token and never used; beyond it only tokens register. One network (/24, /56) may hold no more than it leaves room for. 0 for any number.',
    10_000,
  ),
  OPEN_CLIENT_SECRET_LIFETIME_SECONDS: Type.Integer({
    description:
      'Life of the secret of a client that was registered without a token, in seconds; 0 for that of the others.',
    default: 0,
    minimum: 0,
    maximum: 3_153_600_000,
  }),
  OPEN_REGISTRATIONS_PER_HOUR: PerHour('without a token', 10_000),
  OPEN_REGISTRATIONS_PER_HOUR_AND_NETWORK: PerHour('without a token from one network (/24, /56)', 300),
  OPEN_REGISTRATIONS_PER_HOUR_AND_SOFTWARE: PerHour('without a token of one software_id', 1_000),
  REGISTRATIONS_PER_HOUR_AND_INITIAL_TOKEN: PerHour('with one initial access token', 1_000),
  UPDATES_PER_HOUR_AND_CLIENT: Count(
    'Updates and patches with the registration access token of one client that may be tried in an hour, dry runs included; 0 for any number.',
    600,
  ),
  SECTOR_CHECKS_PER_HOUR_AND_CLIENT: Count(
    'Updates with the registration access token of one client that may read its sector_identifier_uri in an hour, dry runs included; 0 for any number.',
    60,
  ),
};

const Settings = Type.Object({
  ...OPEN_REGISTRATION_SETTINGS,
  OPEN_REGISTRATION_SCOPES: OAUTH_SETTINGS.OPEN_REGISTRATION_SCOPES,
  RATE_LIMITS_ENABLED: Type.Boolean(),
});

/** Those settings, read, with the one that governs every throttle. */
export type OpenRegistrationConfig = Readonly<Static<typeof Settings>>;

/** What holds for registrations without a token. Caps are throttles, too. */
export function openRegistrationSettings(config: OpenRegistrationConfig): OpenRegistrationSettings {
  return {
    needsApproval: config.OPEN_REGISTRATION_APPROVAL,
    unusedLifetimeSeconds: config.UNUSED_CLIENT_LIFETIME_SECONDS,
    maxUnused: config.RATE_LIMITS_ENABLED ? config.MAX_UNUSED_OPEN_CLIENTS : 0,
    secretLifetimeSeconds: config.OPEN_CLIENT_SECRET_LIFETIME_SECONDS,
    extensionGrantTypes: config.OPEN_REGISTRATION_GRANT_TYPES,
    scopeValues: config.OPEN_REGISTRATION_SCOPES,
    omitsExcess: config.OPEN_REGISTRATION_EXCESS === 'omit',
  };
}

/** The limits of registration, counted in a store; none where throttles are off. */
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
