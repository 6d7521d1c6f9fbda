import { ReplyError } from 'ioredis';

/** Why a command or a connection failed. */
export interface RedisFault {
  /**
   * Stable reason for metrics and logs: `timeout`, `connection`, a system error code (`ECONNREFUSED`) or the first word
   * of the server's error reply (`OOM`, `NOPERM`, `WRONGPASS`). Contains nothing of a command or an address.
   */
  readonly reason: string;
  /** Whether the server responded, so that the connection works and a retry would fail in the same way. */
  readonly answered: boolean;
}

const CODE = /^[A-Z][A-Z0-9_]{1,30}$/;

/**
 * Converts an error of the client. The error itself is dropped, because it contains the command with its arguments,
 * and at the handshake the password.
 */
export function redisFault(error: unknown): RedisFault {
  if (!(error instanceof Error)) return { reason: 'connection', answered: false };
  if (error instanceof ReplyError) {
    const [word = ''] = error.message.split(' ', 1);
    return { reason: CODE.test(word) ? word : 'ERR', answered: true };
  }
  if (error.message === 'Command timed out') return { reason: 'timeout', answered: false };
  const code = 'code' in error ? error.code : undefined;
  return { reason: typeof code === 'string' && CODE.test(code) ? code : 'connection', answered: false };
}
