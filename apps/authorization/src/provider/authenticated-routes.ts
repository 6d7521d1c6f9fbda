import { ENDPOINT_PATH } from '@vestibule/protocol/constants';

/** The endpoints at which the library authenticates clients: their paths, by the names of the library. */
export const AUTHENTICATED_ROUTES: ReadonlyMap<string, string> = new Map([
  ['token', ENDPOINT_PATH.token],
  ['pushed_authorization_request', ENDPOINT_PATH.pushedAuthorization],
  ['revocation', ENDPOINT_PATH.revocation],
]);
