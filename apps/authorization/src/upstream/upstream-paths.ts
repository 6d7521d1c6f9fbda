import type { Issuer } from '@vestibule/protocol';
import { ENDPOINT_PATH } from '@vestibule/protocol/constants';

/** The paths below the issuer that the other provider, or a browser on its way, calls. */
export const UPSTREAM_PATH = {
  /** The redirect URI of the login. */
  callback: '/upstream/callback',
  /** The back-channel logout URI. */
  backchannelLogout: '/upstream/backchannel-logout',
  /** Where our logout page sends a browser. */
  logout: ENDPOINT_PATH.upstreamLogout,
  /** The post-logout redirect URI. */
  loggedOut: '/upstream/logged-out',
} as const;

/** The redirect URI that is registered at the other provider. */
export function upstreamRedirectUri(issuer: Issuer): string {
  return issuer + UPSTREAM_PATH.callback;
}
