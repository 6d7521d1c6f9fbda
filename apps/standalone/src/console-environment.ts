import type { Environment } from '@vestibule/service/settings';
import { isLocal } from './local-environment.js';

/** The default port of the console. */
export const DEFAULT_CONSOLE_PORT = 8087;

/** The environment of the console. */
export interface ConsoleEnvironment {
  readonly environment: Environment;
  /** Whether it is not configured: it is then a part of the demonstration, and not worth a failed start. */
  readonly isDemonstration: boolean;
}

/**
 * The environment of the console; `undefined` if there is none. It runs if CONSOLE_URL is set, and as a part of the
 * demonstration: while only this machine can reach the process, the demonstration users log in here, and the database is the
 * embedded one. Another database may be that of an installation, whose operators must not be people with a known password.
 * @param wanted without empty variables
 * @param isEmbedded whether the database is the embedded one
 */
export function consoleEnvironment(wanted: Environment, isEmbedded: boolean): ConsoleEnvironment | undefined {
  const { CONSOLE_URL, CONSOLE_PORT: port = String(DEFAULT_CONSOLE_PORT) } = wanted;
  if (port === '0') return undefined;
  if (CONSOLE_URL !== undefined) return { environment: wanted, isDemonstration: false };
  if (!isEmbedded || !hasDemoUsers(wanted)) return undefined;
  // An invalid port is reported separately.
  const address = `http://localhost:${port}`;
  const CONSOLE_OF_DEMO = {
    CONSOLE_URL: URL.canParse(address) ? address : `http://localhost:${DEFAULT_CONSOLE_PORT}`,
    CONSOLE_ROLE_CLAIM: 'sub',
    CONSOLE_ADMIN_VALUES: 'alice',
    CONSOLE_VIEWER_VALUES: 'bob',
  };
  return { environment: { ...CONSOLE_OF_DEMO, ...wanted }, isDemonstration: true };
}

/** Whether the default users of the demonstration log in here, and no other user can. */
function hasDemoUsers(wanted: Environment): boolean {
  const { OPENID_PROVIDER_ENABLED, UPSTREAM_ISSUER, DEMO_USERS, DEMO_USERS_FILE, CONSOLE_HOST } = wanted;
  const isOther = [UPSTREAM_ISSUER, DEMO_USERS, DEMO_USERS_FILE].some((given) => given !== undefined);
  const isHere = isLocal(wanted) && (CONSOLE_HOST === undefined || isLocal({ HOST: CONSOLE_HOST }));
  return isHere && OPENID_PROVIDER_ENABLED !== 'false' && !isOther;
}
