import type { Languages } from '@vestibule/http/pages';
import { customSetting, type Environment, loadSettings, type Reading } from '@vestibule/service/settings';
import {
  AUTHORIZATION_SERVER_SETTINGS,
  checkAuthorizationServerSettings,
  checkUpstreamIssuer,
  EGRESS_SETTINGS,
  OAUTH_SETTINGS,
  portSetting,
  SHARED_SETTINGS,
  STORE_SETTINGS,
  TRACE_SETTINGS,
  UPSTREAM_ISSUER_SETTING,
} from '@vestibule/service/shared-settings';
import { type Static, Type } from 'typebox';
import { DELIVERY_SETTINGS } from './delivery/delivery-settings.js';
import type { Messages } from './languages/messages.js';
import { readLanguagesFile } from './languages/read-languages-file.js';
import { contrast, DARK_CARD, LIGHT_CARD } from './pages/contrast.js';

/** Minimum contrast of text to its background (WCAG 2.2 section 1.4.3). */
const MIN_CONTRAST = 4.5;

/** The settings of the logout service, by environment variable. */
export const LogoutSettings = Type.Object({
  BASE_URL: SHARED_SETTINGS.BASE_URL,
  HOST: SHARED_SETTINGS.HOST,
  PORT: portSetting(8083),
  MANAGEMENT_HOST: SHARED_SETTINGS.MANAGEMENT_HOST,
  MANAGEMENT_PORT: SHARED_SETTINGS.MANAGEMENT_PORT,
  ...STORE_SETTINGS,
  ...AUTHORIZATION_SERVER_SETTINGS,
  LOGOUT_PATH: OAUTH_SETTINGS.LOGOUT_PATH,
  ...UPSTREAM_ISSUER_SETTING,
  LOGOUT_REDIRECT_WITHOUT_HINT: Type.Boolean({
    description:
      'Whether a request with `client_id` and without `id_token_hint` may return to an address that the client registered.',
    default: false,
  }),
  LOGOUT_SKIP_CONSENT_CLIENT_IDS: Type.Array(Type.String(), {
    description:
      'Identifiers of clients that may log an end-user out without confirmation, if `id_token_hint` belongs to the session in the browser.',
    default: [],
  }),
  LOGOUT_LANGUAGES_FILE: Type.Optional(
    customSetting<Languages<Messages>>({
      description:
        'JSON file with additional languages for the pages, or with replacements for built-in ones.',
      form: 'the path of a JSON file',
      read: readLanguagesFile,
    }),
  ),
  SESSION_COOKIE_NAME: Type.Optional(
    Type.String({
      description:
        'Name of the session cookie of the authorization server. Default: the one that our authorization server sets.',
      pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
      minLength: 1,
      maxLength: 128,
    }),
  ),
  SESSION_COOKIE_PATH: Type.String({
    description: 'Path of the session cookie.',
    default: '/',
    pattern: '^/[\\x21-\\x3a\\x3c-\\x7e]*$',
    maxLength: 255,
  }),
  SESSION_COOKIE_DOMAIN: Type.Optional(
    Type.String({
      description: 'Domain of the session cookie. Without it the cookie is for one host.',
      pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$',
      maxLength: 253,
    }),
  ),
  SESSION_COOKIE_SAME_SITE: Type.Enum(['lax', 'none'], {
    description:
      '`SameSite` of the session cookie. `strict` is not possible: browsers would omit the cookie when a client sends an end-user here.',
    default: 'lax',
  }),
  BRAND_NAME: Type.Optional(
    Type.String({
      description: 'Name of the provider on the pages. Default: the host of BASE_URL.',
      minLength: 1,
      maxLength: 60,
    }),
  ),
  BRAND_ACCENT_COLOR: colorSetting('Colour of buttons and links on a light background.', LIGHT_CARD),
  BRAND_ACCENT_COLOR_DARK: colorSetting('Colour of buttons and links on a dark background.', DARK_CARD),
  BRAND_LOGO_URI: Type.Optional(
    customSetting<string>({
      description: 'Address of the logo above the title of the pages.',
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

/** The validated settings of the logout service. */
export type LogoutConfig = Readonly<Static<typeof LogoutSettings>>;

/**
 * Reads the settings.
 * @throws SettingsError with every problem at once
 */
export function loadLogoutConfig(environment: Environment): LogoutConfig {
  return loadSettings(LogoutSettings, environment, [
    ({ SESSION_COOKIE_NAME = '', SESSION_COOKIE_PATH, SESSION_COOKIE_DOMAIN }) =>
      SESSION_COOKIE_NAME.startsWith('__Host-') && (SESSION_COOKIE_PATH !== '/' || SESSION_COOKIE_DOMAIN)
        ? [
            {
              name: 'SESSION_COOKIE_NAME',
              problem: 'with the prefix __Host- requires SESSION_COOKIE_PATH / and no SESSION_COOKIE_DOMAIN',
            },
          ]
        : [],
    ({ BASE_URL, SESSION_COOKIE_NAME, SESSION_COOKIE_PATH, SESSION_COOKIE_DOMAIN }) =>
      SESSION_COOKIE_NAME === undefined &&
      BASE_URL.startsWith('https:') &&
      (SESSION_COOKIE_PATH !== '/' || SESSION_COOKIE_DOMAIN !== undefined)
        ? [
            {
              name: 'SESSION_COOKIE_NAME',
              problem: 'is required if SESSION_COOKIE_PATH or SESSION_COOKIE_DOMAIN is set',
            },
          ]
        : [],
    checkAuthorizationServerSettings,
    checkUpstreamIssuer,
  ]);
}

function colorSetting(description: string, ground: string) {
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
  // The address goes into a Content-Security-Policy too, which these characters would end.
  const isPlain = protocol === 'https:' && [username, password, search, hash].every((part) => part === '');
  return isPlain && !/[;,\s'"]/.test(href) ? { value: href } : { problem };
}
