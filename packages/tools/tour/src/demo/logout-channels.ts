import type { JWTPayload } from 'jose';
import type { Narrator } from '../print/narrator.js';
import type { DemoResponse } from './demo-server.js';
import type { RelyingParty } from './relying-party.js';

/** The two logout channels of an application. */
export interface LogoutChannels {
  /** The queries of front-channel requests. */
  readonly told: readonly URLSearchParams[];
  /** The claims of the received logout tokens. */
  readonly notified: readonly JWTPayload[];
  /** Makes the front channel hang or respond again. */
  hang(isHanging: boolean): void;
  /** Handles a front-channel request. */
  load(query: URLSearchParams): DemoResponse | undefined;
  /** Handles a logout token. @throws when it is not one for this application now */
  take(by: RelyingParty, logoutToken: string): Promise<DemoResponse>;
}

/** What the channels of an application need. */
export interface LogoutChannelDeps {
  readonly backchannelUri: string;
  readonly narrator: Narrator;
  /** Ends the session with this identifier. */
  readonly endSession: (sid: unknown) => void;
}

/** The logout channels of an application; back-channel notifications are printed. */
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
