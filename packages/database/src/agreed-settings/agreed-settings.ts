import { isJsonObject, type JsonObject, type JsonValue } from '@vestibule/protocol/json';

/** The session cookie, as one program sets it and another one finds and deletes it. */
export interface SessionCookieSettings {
  readonly name: string;
  readonly path: string;
  /** Absent for a cookie for one host. */
  readonly domain?: string;
  readonly sameSite: 'lax' | 'none';
}

/** What the OpenID provider and the logout page must agree on. */
export interface LogoutAgreement {
  readonly sessionCookie: SessionCookieSettings;
  /** Path of the logout page below the issuer. */
  readonly logoutPath: string;
}

/** The settings of a process on which all processes over one database must agree. */
export interface AgreedSettings {
  readonly issuer: string;
  /** Present if the process is the OpenID provider. */
  readonly provider?: LogoutAgreement & {
    /** Whether it is the server of a team, and not ours. */
    readonly isJoined: boolean;
  };
  /** Present if the process serves the logout page. */
  readonly logout?: LogoutAgreement;
}

/** A process with its settings. */
export interface ProcessSettings {
  /** The name of the program, as in `vestibule logout`. */
  readonly program: string;
  readonly settings: AgreedSettings;
}

/** Reads the settings of a process of this version; `undefined` if they are those of another version. */
export function parseAgreedSettings(stored: JsonValue): AgreedSettings | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { issuer, provider, logout } = stored;
  if (typeof issuer !== 'string') return undefined;
  const joined = isJsonObject(provider) ? agreementOf(provider) : undefined;
  const page = isJsonObject(logout) ? agreementOf(logout) : undefined;
  return {
    issuer,
    ...(joined && {
      provider: { ...joined, isJoined: isJsonObject(provider) && provider['isJoined'] === true },
    }),
    ...(page && { logout: page }),
  };
}

function agreementOf({ sessionCookie: cookie, logoutPath }: JsonObject): LogoutAgreement | undefined {
  if (!isJsonObject(cookie) || typeof logoutPath !== 'string') return undefined;
  const { name, path, domain, sameSite } = cookie;
  if (typeof name !== 'string' || typeof path !== 'string') return undefined;
  return {
    logoutPath,
    sessionCookie: {
      name,
      path,
      ...(typeof domain === 'string' && { domain }),
      sameSite: sameSite === 'none' ? 'none' : 'lax',
    },
  };
}

/**
 * The session cookie of the server of a team, as it set it up, or else the one in which the logout page looks for
 * sessions; `undefined` if neither runs.
 */
export function agreedSessionCookie(
  processes: readonly ProcessSettings[],
): SessionCookieSettings | undefined {
  const joined = processes.find(({ settings }) => settings.provider?.isJoined === true);
  const page = processes.find(({ settings }) => settings.logout !== undefined);
  return (joined?.settings.provider ?? page?.settings.logout)?.sessionCookie;
}
