import { secureRandom } from '@vestibule/crypto';
import type { OtherServerKeys } from '@vestibule/crypto/signing-keys';
import type { Store } from '@vestibule/database';
import type { LogoutAgreement } from '@vestibule/database/agreed-settings';
import { issueLogoutReturn } from '@vestibule/logout';
import { sectorIdentifier } from '@vestibule/metadata';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';
import { findPairwiseSubject } from '@vestibule/tokens/issuing';
import type { BrowserSessions } from './browser-sessions.js';
import type { LogoutConfig } from './config.js';
import type { LogoutServiceDeps } from './deps.js';
import { pageSetting } from './pages/page-setting.js';
import { cookieSessions, type SessionCookie } from './session-cookie.js';

/** Parts that can be given beside the settings. Each has a default. */
export interface LogoutParts {
  /** Default: the time of the database. */
  readonly clock?: Clock;
  /** Keys of the operator's authorization server. Default: none. */
  readonly authorizationServerKeys?: OtherServerKeys | undefined;
  /** Finds the session of a browser. Default: by the cookie of the authorization server. */
  readonly browserSessions?: BrowserSessions;
  /** The account name that an end-user knows. Default: the subject of the session. */
  readonly accountName?: LogoutServiceDeps['accountName'];
  readonly onRedirectRefused?: LogoutServiceDeps['onRedirectRefused'];
}

/** Composes the dependencies of the service from its settings and a store. */
export function composeLogout(
  config: LogoutConfig,
  { database, encryptor, digester, providerKeys, clock: storeClock }: Pick<Store, ComposedParts>,
  {
    clock = storeClock,
    authorizationServerKeys,
    browserSessions,
    accountName = async (subject) => subject,
    onRedirectRefused,
  }: LogoutParts = {},
): LogoutServiceDeps {
  const sessions = database.logoutSessions;
  return {
    clock,
    issuer: config.BASE_URL,
    random: secureRandom,
    digester,
    encryptor,
    keys: providerKeys,
    ...(authorizationServerKeys && { authorizationServerKeys }),
    clients: database.clients,
    blocks: database.clientBlocks,
    pairwiseSubject: async (client, accountId) => {
      const sector = sectorIdentifier(client.metadata);
      return (
        sector && findPairwiseSubject(database.providerRecords, { sector, accountId }, nowSeconds(clock))
      );
    },
    sessions,
    replays: database.replays,
    deliveryStates: database.deliveryStates,
    accountName,
    ...(onRedirectRefused && { onRedirectRefused }),
    skipsConsent: new Set(config.LOGOUT_SKIP_CONSENT_CLIENT_IDS),
    redirectsWithoutHint: config.LOGOUT_REDIRECT_WITHOUT_HINT,
    path: config.LOGOUT_PATH,
    browserSessions:
      browserSessions ?? cookieSessions({ clock, digester, sessions, cookie: sessionCookie(config) }),
    ...(config.UPSTREAM_ISSUER && {
      upstreamLogout: (redirect) => {
        const state = issueLogoutReturn({ clock, digester }, redirect === undefined ? {} : { redirect });
        return `${config.BASE_URL}${ENDPOINT_PATH.upstreamLogout}?state=${state}`;
      },
    }),
    pages: pageSetting({
      issuer: config.BASE_URL,
      path: config.LOGOUT_PATH,
      ...(config.LOGOUT_LANGUAGES_FILE && { languages: config.LOGOUT_LANGUAGES_FILE }),
      brand: {
        ...(config.BRAND_NAME !== undefined && { name: config.BRAND_NAME }),
        ...(config.BRAND_LOGO_URI !== undefined && { logo: config.BRAND_LOGO_URI }),
        ...(config.BRAND_ACCENT_COLOR !== undefined && { accent: config.BRAND_ACCENT_COLOR }),
        ...(config.BRAND_ACCENT_COLOR_DARK !== undefined && { accentInDark: config.BRAND_ACCENT_COLOR_DARK }),
      },
    }),
  };
}

/** What the logout page and the authorization server must agree on. */
export function logoutAgreement(config: LogoutConfig): LogoutAgreement {
  const { isSecure: _, ...cookie } = sessionCookie(config);
  return { sessionCookie: cookie, logoutPath: config.LOGOUT_PATH };
}

type ComposedParts = 'database' | 'encryptor' | 'digester' | 'providerKeys' | 'clock';

/**
 * The default names are those of our authorization server. The prefix states what browsers guarantee (RFC 6265bis
 * section 4.1.3).
 */
function sessionCookie(config: LogoutConfig): SessionCookie {
  const isSecure = config.BASE_URL.startsWith('https:');
  const { SESSION_COOKIE_DOMAIN: domain } = config;
  return {
    name: config.SESSION_COOKIE_NAME ?? (isSecure ? '__Host-vestibule_session' : 'vestibule_session'),
    path: config.SESSION_COOKIE_PATH,
    ...(domain !== undefined && { domain }),
    isSecure,
    sameSite: config.SESSION_COOKIE_SAME_SITE,
  };
}
