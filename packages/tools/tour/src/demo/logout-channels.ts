import type { JWTPayload } from 'jose';
import type { Reporter } from '../print/reporter.js';
import type { DemoResponse } from './demo-server.js';
import type { RelyingParty } from './relying-party.js';

/** The two logout channels of an application. */
export interface LogoutChannels {
  /** The queries of the received front-channel requests. */
  readonly frontchannelRequests: readonly URLSearchParams[];
  /** The claims of the received logout tokens. */
  readonly logoutTokens: readonly JWTPayload[];
  /** Makes the front channel hang or respond again. */
  hang(isHanging: boolean): void;
  /** Handles a front-channel request. */
  handleFrontchannel(query: URLSearchParams): DemoResponse | undefined;
  /** Handles a logout token. @throws when it is not a valid logout token for this application */
  handleBackchannel(party: RelyingParty, logoutToken: string): Promise<DemoResponse>;
}

/** Dependencies of the channels of an application. */
export interface LogoutChannelDeps {
  readonly backchannelUri: string;
  readonly reporter: Reporter;
  /** Ends the session with this identifier. */
  readonly endSession: (sid: unknown) => void;
}

/** The logout channels of an application; back-channel notifications are printed. */
export function logoutChannels(deps: LogoutChannelDeps): LogoutChannels {
  const { backchannelUri, reporter, endSession } = deps;
  const frontchannelRequests: URLSearchParams[] = [];
  const logoutTokens: JWTPayload[] = [];
  let isHanging = false;
  return {
    frontchannelRequests,
    logoutTokens,
    hang: (hangs) => {
      isHanging = hangs;
    },
    handleFrontchannel: (query) => {
      if (isHanging) return undefined;
      frontchannelRequests.push(query);
      endSession(query.get('sid'));
      return { status: 200, page: { title: 'Logged out', actions: {} } };
    },
    handleBackchannel: async (party, logoutToken) => {
      const claims = await party.logoutClaims(logoutToken);
      reporter.exchange({
        from: 'server',
        method: 'POST',
        address: backchannelUri,
        status: 200,
        sent: { logout_token: logoutToken, ...claims },
      });
      logoutTokens.push(claims);
      endSession(claims['sid']);
      return { status: 200 };
    },
  };
}
