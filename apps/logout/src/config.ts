import type { Languages } from '@vestibule/service-kit/pages';
import {
  customSetting,
  EGRESS_SETTINGS,
  type Environment,
  loadSettings,
  OAUTH_SETTINGS,
  portSetting,
  type Reading,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
} from '@vestibule/service-kit/settings';
import { type Static, Type } from 'typebox';
import { DELIVERY_SETTINGS } from './delivery/delivery-settings.js';
import type { Messages } from './languages/messages.js';
import { readLanguagesFile } from './languages/read-languages-file.js';
import { contrast, DARK_CARD, LIGHT_CARD } from './pages/contrast.js';

/** What text needs against its ground (WCAG 2.2 section 1.4.3). */
const MIN_CONTRAST = 4.5;

/** The settings of the logout service, by environment variable. */
export const LogoutSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8083),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  LOGOUT_PATH: OAUTH_SETTINGS.LOGOUT_PATH,
  LOGOUT_REDIRECT_WITHOUT_HINT: Type.Boolean({
    description:
      'Whether `client_id` alone, without an ID token hint, is enough to be sent back to an address that the client registered.',
    default: false,
  }),
  LOGOUT_SKIP_CONSENT_CLIENT_IDS: Type.Array(Type.String(), {
    description:
      'Identifiers of clients whose requests log out of the provider without asking, where the ID token hint belongs to the login in the browser.',
    default: [],
  }),
  LOGOUT_LANGUAGES_FILE: Type.Optional(
    customSetting<Languages<Messages>>({
      description: 'File of more languages for the pages, or of other words in the built-in ones.',
      form: 'the path of a JSON file',
      read: readLanguagesFile,
    }),
  ),
  SESSION_COOKIE_NAME: Type.Optional(
    Type.String({
      description:
        'Name of the cookie in which the authorisation server keeps the session. Without it the one that ours sets.',
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      minLength: 1,
      maxLength: 128,
    }),
  ),
  SESSION_COOKIE_PATH: Type.String({
    description: 'Path of that cookie.',
    default: '/',
    pattern: '^/[\\x21-\\x3a\\x3c-\\x7e]*$',
    maxLength: 255,
  }),
  SESSION_COOKIE_DOMAIN: Type.Optional(
    Type.String({
      description: 'Domain of that cookie. Without it the cookie belongs to one host.',
      pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$',
      maxLength: 253,
    }),
  ),
  SESSION_COOKIE_SAME_SITE: Type.Enum(['lax', 'none'], {
    description:
      'Attribute `SameSite` of that cookie. A strict one would not come along when a client sends an end-user here.',
    default: 'lax',
  }),
  BRAND_NAME: Type.Optional(
    Type.String({
      description: 'What the pages call the provider. Without it the host of BASE_URL.',
      minLength: 1,
      maxLength: 60,
    }),
  ),
  BRAND_ACCENT_COLOR: colourSetting('Colour of buttons and links, on light ground.', LIGHT_CARD),
  BRAND_ACCENT_COLOR_DARK: colourSetting('Colour of buttons and links, on dark ground.', DARK_CARD),
  BRAND_LOGO_URI: Type.Optional(
    customSetting<string>({
      description: 'Address of a picture that stands above the title of the pages.',
      form: 'an absolute https URL without credentials, query and fragment',
      read: readLogo,
    }),
  ),
  MASTER_TOKEN_SHA256: SHARED_SETTINGS.MASTER_TOKEN_SHA256,
  ...DELIVERY_SETTINGS,
  ...EGRESS_SETTINGS,
  TRUSTED_PROXIES: SHARED_SETTINGS.TRUSTED_PROXIES,
  API_PAGE_ENABLED: SHARED_SETTINGS.API_PAGE_ENABLED,
  LOG_LEVEL: SHARED_SETTINGS.LOG_LEVEL,
  ...TRACE_SETTINGS,
  SHUTDOWN_DRAIN_MS: SHARED_SETTINGS.SHUTDOWN_DRAIN_MS,
});

/** The settings of the logout service, checked. */
export type LogoutConfig = Readonly<Static<typeof LogoutSettings>>;

/**
 * Reads the settings.
 * @throws SettingsError with every problem at once
 */
export function loadLogoutConfig(environment: Environment): LogoutConfig {
  return loadSettings(LogoutSettings, environment, [
    ({ SESSION_COOKIE_NAME = '', SESSION_COOKIE_PATH, SESSION_COOKIE_DOMAIN }) =>
      SESSION_COOKIE_NAME.startsWith('__Host-') && (SESSION_COOKIE_PATH !== '/' || SESSION_COOKIE_DOMAIN)
        ? [{ name: 'SESSION_COOKIE_NAME', problem: 'with __Host- goes with the path / and without a domain' }]
        : [],
    ({ BASE_URL, SESSION_COOKIE_NAME, SESSION_COOKIE_PATH, SESSION_COOKIE_DOMAIN }) =>
      SESSION_COOKIE_NAME === undefined &&
      BASE_URL.startsWith('https:') &&
      (SESSION_COOKIE_PATH !== '/' || SESSION_COOKIE_DOMAIN !== undefined)
        ? [{ name: 'SESSION_COOKIE_NAME', problem: 'is required with another path or a domain' }]
        : [],
  ]);
}

function colourSetting(description: string, ground: string) {
  return Type.Optional(
    customSetting<string>({
      description,
      form: `#rrggbb, with a contrast of ${MIN_CONTRAST} to ${ground}`,
      read: (text) => {
        if (!/^#[0-9A-Fa-f]{6}$/.test(text)) return { problem: 'must be a colour as #rrggbb' };
        const isReadable = contrast(text, ground) >= MIN_CONTRAST;
        return isReadable
          ? { value: text.toLowerCase() }
          : { problem: `must have a contrast of ${MIN_CONTRAST} to ${ground}` };
      },
    }),
  );
}

function readLogo(text: string): Reading<string> {
  const problem = 'must be an absolute https URL without credentials, query and fragment';
  if (!URL.canParse(text)) return { problem };
  const { protocol, username, password, search, hash, href } = new URL(text);
  // It stands in a policy too, where these characters would end it.
  const isPlain = protocol === 'https:' && [username, password, search, hash].every((part) => part === '');
  return isPlain && !/[;,\s'"]/.test(href) ? { value: href } : { problem };
}
