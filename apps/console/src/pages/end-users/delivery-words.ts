import type { DeliveryRecord } from '@vestibule/logout/delivery';

/** The states of a notification. */
export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'dead',
] as const satisfies readonly DeliveryRecord['state'][];

/** Why an attempt failed, by the word that is stored. */
const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'the application did not respond in time',
  refused: 'the connection was refused',
  unresolvable: 'the name of the host cannot be resolved',
  tls: 'the TLS connection failed, for example because of the certificate',
  protocol: 'the response was not HTTP',
  status: 'the application responded with an error',
  redirect: 'the application responded with a redirect, which is not followed',
  blocked: 'the address is on a network that is not allowed',
  client_deleted: 'the client was deleted',
  unsigned: 'the logout token cannot be signed with the algorithm of the client',
  no_encryption_key: 'the client has no key to encrypt the logout token for',
  not_prepared: 'the logout token could not be made',
  aborted: 'the service was stopped during the attempt',
  overloaded: 'too many notifications were waiting for the host',
  late: 'the notification became too old',
};

/** Says how the last attempt ended; `undefined` before the first. */
export function lastAttempt({ lastStatus, lastError, state }: DeliveryRecord): string | undefined {
  const reason = lastError === undefined ? undefined : (FAILURES[lastError] ?? lastError);
  const status = lastStatus === undefined ? undefined : `HTTP status ${lastStatus}`;
  if (reason === undefined) return state === 'delivered' ? (status ?? 'delivered') : status;
  return status === undefined ? reason : `${reason} (${status})`;
}
