import { type Environment, isLoopback } from '@vestibule/service-kit/settings';

/** The port where nothing else is set. */
export const DEFAULT_PORT = 8080;

/** The address to listen on where nothing else is set. Each service judges by it who can reach its pages. */
export const DEFAULT_HOST = '127.0.0.1';

/** The data folder where nothing else is set. */
export const DEFAULT_DATA_DIR = '.vestibule';

/** What a developer's machine wants where nothing else is set, besides `LOOPBACK_DEFAULTS`. */
export const LOCAL_DEFAULTS: Environment = {
  HOST: DEFAULT_HOST,
  ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
  OPEN_REGISTRATION_SCOPES: 'openid profile email address phone offline_access',
  LOG_LEVEL: 'warn',
  SHUTDOWN_DRAIN_MS: '0',
};

/**
 * What it wants besides while this machine alone can reach it: both the base address and the one listened on are
 * loopback.
 */
export const LOOPBACK_DEFAULTS: Environment = { RATE_LIMITS_ENABLED: 'false' };

/** Stands for the embedded database, whose address is known only when it runs. */
const EMBEDDED_DATABASE_URL = 'postgresql://embedded';

/** What is given, with the local defaults. A variable that is set to nothing counts as not set. */
export function withLocalDefaults(given: Environment): Environment {
  const wanted = Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''));
  return { ...LOCAL_DEFAULTS, ...(isLocal(wanted) && LOOPBACK_DEFAULTS), ...wanted };
}

function isLocal({ BASE_URL, HOST = DEFAULT_HOST }: Environment): boolean {
  const isLocalAddress =
    BASE_URL === undefined || (URL.canParse(BASE_URL) && isLoopback(new URL(BASE_URL).hostname));
  return isLocalAddress && (isLoopback(HOST) || HOST === '::1');
}

/** Whether someone else's database is configured, so that no embedded one is used. */
export function hasDatabase({ DATABASE_URL, DATABASE_URL_FILE }: Environment): boolean {
  return DATABASE_URL !== undefined || DATABASE_URL_FILE !== undefined;
}

/** The environment that the services of one process share: with its address as the base address, and a database. */
export function serviceEnvironment(wanted: Environment): Environment {
  const local = `http://localhost:${wanted.PORT ?? DEFAULT_PORT}`;
  return {
    ...wanted,
    // A port that is none is named by itself.
    BASE_URL: wanted.BASE_URL ?? (URL.canParse(local) ? local : 'http://localhost'),
    ...(!hasDatabase(wanted) && { DATABASE_URL: EMBEDDED_DATABASE_URL }),
  };
}
