import type { JWTPayload } from 'jose';
import type { Narrator } from '../print/narrator.js';
import type { DemoResponse } from './demo-server.js';
import type { RelyingParty } from './relying-party.js';

/** The two ways by which an application is told of a logout. */
export interface LogoutChannels {
  /** The queries with which browsers loaded its front-channel address. */
  readonly told: readonly URLSearchParams[];
  /** The claims of the logout tokens that the server posted. */
  readonly notified: readonly JWTPayload[];
  /** From now on its front-channel address answers no more, or answers again. */
  hang(isHanging: boolean): void;
  /** A browser loads the front-channel address. */
  load(query: URLSearchParams): DemoResponse | undefined;
  /** The server posts a logout token. @throws when it is not one for this application now */
  take(by: RelyingParty, logoutToken: string): Promise<DemoResponse>;
}

/** What the channels of an application take. */
export interface LogoutChannelDeps {
  readonly backchannelUri: string;
  readonly narrator: Narrator;
  /** Ends the login that has this identifier. */
  readonly endSession: (sid: unknown) => void;
}

/** The channels of an application; what the server posts is told of. */
export function logoutChannels(deps: LogoutChannelDeps): LogoutChannels {
  const { backchannelUri, narrator, endSession } = deps;
  const told: URLSearchParams[] = [];
  const notified: JWTPayload[] = [];
  let isHanging = false;
  return {
    told,
    notified,
    hang: (hangs) => {
      isHanging = hangs;
    },
    load: (query) => {
      if (isHanging) return undefined;
      told.push(query);
      endSession(query.get('sid'));
      return { status: 200, page: { title: 'Told', actions: {} } };
    },
    take: async (by, logoutToken) => {
      const claims = await by.logoutClaims(logoutToken);
      narrator.exchange({
        from: 'server',
        method: 'POST',
        address: backchannelUri,
        status: 200,
        sent: { logout_token: logoutToken, ...claims },
      });
      notified.push(claims);
      endSession(claims['sid']);
      return { status: 200 };
    },
  };
}
