import { addressWith } from '../../frame/addresses.js';

/** Path of the pages about end-users. */
export const END_USERS_PATH = '/end-users';
/** Path of the page about one session. */
export const SESSION_PATH = `${END_USERS_PATH}/session`;
/** Path of the list of notifications. */
export const DELIVERIES_PATH = `${END_USERS_PATH}/deliveries`;

/** Address of the page about an end-user. */
export function endUserAddress(subject: string): string {
  return addressWith(END_USERS_PATH, { subject });
}

/** Address of the page about a session. */
export function sessionAddress(session: string): string {
  return addressWith(SESSION_PATH, { session });
}
