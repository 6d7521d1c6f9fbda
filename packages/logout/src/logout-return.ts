import type { Digest, Digester } from '@vestibule/crypto/data-keys';
import { type Clock, isEpochSeconds, nowSeconds } from '@vestibule/protocol';

/** Dependencies of the way back from another provider. */
export interface LogoutReturnDeps {
  readonly clock: Clock;
  readonly digester: Pick<Digester, 'digest' | 'matches'>;
}

/** The way back from a logout at another provider. */
export interface LogoutReturn {
  /** The address of the client that requested the logout, which it registered. Absent without one. */
  readonly redirect?: string;
}

/** How long a logout at another provider may take, in seconds. */
export const LOGOUT_RETURN_LIFETIME_SECONDS = 600;

/**
 * Issues the `state` that a browser takes to another provider, to log out there too. It cannot be forged, so that it
 * leads nowhere else than to an address that a logout here was to return to.
 */
export function issueLogoutReturn({ clock, digester }: LogoutReturnDeps, { redirect }: LogoutReturn): string {
  const address = Buffer.from(redirect ?? '').toString('base64url');
  const content = `${nowSeconds(clock) + LOGOUT_RETURN_LIFETIME_SECONDS}.${address}`;
  return `${content}.${Buffer.from(digester.digest('logout-return', content)).toString('base64url')}`;
}

const FORM = /^((\d{1,12})\.([\w-]*))\.([\w-]{43})$/;

/**
 * Reads a `state`; `undefined` if it was not issued here or has expired.
 * @throws KeyEncryptionError if it may have been issued under a digest key that cannot be decrypted
 */
export function readLogoutReturn(
  { clock, digester }: LogoutReturnDeps,
  state: string,
): LogoutReturn | undefined {
  const [, content = '', expiry = '', address = '', given = ''] = FORM.exec(state) ?? [];
  const expiresAt = Number(expiry);
  if (content === '' || !isEpochSeconds(expiresAt)) return undefined;
  const digest = Uint8Array.from(Buffer.from(given, 'base64url')) as Uint8Array as Digest;
  const isOurs = digester.matches('logout-return', content, digest);
  if (!isOurs || nowSeconds(clock) >= expiresAt) return undefined;
  return address === '' ? {} : { redirect: Buffer.from(address, 'base64url').toString() };
}
