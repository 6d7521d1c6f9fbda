import { type Environment, isLoopback } from '@vestibule/service/settings';

/** The default port. */
export const DEFAULT_PORT = 8080;

/** The default address to listen on. Each service derives from it who can reach its pages. */
export const DEFAULT_HOST = '127.0.0.1';

/** The default data folder. */
export const DEFAULT_DATA_DIR = '.vestibule';

/** Defaults for a developer's machine, besides `LOOPBACK_DEFAULTS`. */
export const LOCAL_DEFAULTS: Environment = {
  HOST: DEFAULT_HOST,
  ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
  OPEN_REGISTRATION_SCOPES: 'openid profile email address phone offline_access',
  LOG_LEVEL: 'warn',
  SHUTDOWN_DRAIN_MS: '0',
};

/**
 * Further defaults while only this machine can reach the process: both the base address and the listening address are
 * loopback.
 */
export const LOOPBACK_DEFAULTS: Environment = { RATE_LIMITS_ENABLED: 'false' };

/** Placeholder for the embedded database, whose address is known only when it runs. */
const EMBEDDED_DATABASE_URL = 'postgresql://embedded';

/** The given environment with the local defaults. An empty variable counts as not set. */
export function withLocalDefaults(given: Environment): Environment {
  const wanted = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
  return { ...LOCAL_DEFAULTS, ...(isLocal(wanted) && LOOPBACK_DEFAULTS), ...wanted };
}

/** Whether only this machine can reach the process: both the base address and the listening address are loopback. */
export function isLocal({ BASE_URL, HOST = DEFAULT_HOST }: Environment): boolean {
  const isLocalAddress =
    BASE_URL === undefined || (URL.canParse(BASE_URL) && isLoopback(new URL(BASE_URL).hostname));
  return isLocalAddress && (isLoopback(HOST) || HOST === '::1');
}

/** Whether an external database is configured, so that no embedded one is used. */
export function hasDatabase({ DATABASE_URL, DATABASE_URL_FILE }: Environment): boolean {
  return DATABASE_URL !== undefined || DATABASE_URL_FILE !== undefined;
}

/** The environment shared by the services of one process: with its address as the base address, and a database. */
export function serviceEnvironment(wanted: Environment): Environment {
  const local = `http://localhost:${wanted.PORT ?? DEFAULT_PORT}`;
  return {
    ...wanted,
    // An invalid port is reported separately.
    BASE_URL: wanted.BASE_URL ?? (URL.canParse(local) ? local : 'http://localhost'),
    ...(!hasDatabase(wanted) && { DATABASE_URL: EMBEDDED_DATABASE_URL }),
  };
}
