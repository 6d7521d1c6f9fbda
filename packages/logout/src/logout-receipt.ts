import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import { type Clock, epochSeconds, isEpochSeconds, nowSeconds } from '@vestibule/protocol';

/** Dependencies of receipts. */
export interface ReceiptDeps {
  readonly clock: Clock;
  readonly digester: Pick<Digester, 'digest' | 'matches'>;
  readonly deliveryStates: DeliveryStates;
}

/**
 * State of a back-channel notification: not tried yet, to be tried again, accepted by the client with a 2xx status, or
 * given up.
 */
export type NotificationState = 'waiting' | 'retrying' | 'delivered' | 'given_up';

/** Reads the states of notifications. */
export interface DeliveryStates {
  /** The states by identifier; notifications that are no longer kept are left out. */
  states(ids: readonly string[]): Promise<ReadonlyMap<string, NotificationState>>;
}

/** How long the page after a logout can read the states of its notifications, in seconds. */
export const RECEIPT_LIFETIME_SECONDS = 600;

/**
 * Issues a receipt for the back-channel notifications of one logout. It allows reading their states, in this order and
 * for ten minutes, and nothing else.
 */
export function issueReceipt(
  { clock, digester }: Pick<ReceiptDeps, 'clock' | 'digester'>,
  ids: readonly string[],
): string {
  const content = `${ids.join('-')}.${epochSeconds(nowSeconds(clock) + RECEIPT_LIFETIME_SECONDS)}`;
  return `${content}.${Buffer.from(digester.digest('logout-receipt', content)).toString('base64url')}`;
}

const FORM = /^((\d{1,19}(?:-\d{1,19})*)\.(\d{1,12}))\.([\w-]{43})$/;

/**
 * The states of the notifications of a receipt, in its order; `undefined` if the receipt was not issued here or has
 * expired.
 * @throws KeyEncryptionError if it may have been issued under a digest key that cannot be decrypted
 */
export async function readReceipt(
  { clock, digester, deliveryStates }: ReceiptDeps,
  receipt: string,
): Promise<readonly NotificationState[] | undefined> {
  const [, content = '', ids = '', expiry = '', given = ''] = FORM.exec(receipt) ?? [];
  const expiresAt = Number(expiry);
  if (content === '' || !isEpochSeconds(expiresAt)) return undefined;
  const digest = Uint8Array.from(Buffer.from(given, 'base64url')) as Uint8Array as Digest;
  const isOurs = digester.matches('logout-receipt', content, digest);
  if (!isOurs || nowSeconds(clock) >= expiresAt) return undefined;
  const wanted = ids.split('-');
  const states = await deliveryStates.states(wanted);
  return wanted.map((id) => states.get(id) ?? 'given_up');
}
