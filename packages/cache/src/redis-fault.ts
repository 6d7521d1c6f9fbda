import { ReplyError } from 'ioredis';

/** Why a command or a connection failed. */
export interface RedisFault {
  /**
   * A stable word for metrics and logs: `timeout`, `connection`, the system's code (`ECONNREFUSED`) or the first word
   * of the server's answer (`OOM`, `NOPERM`, `WRONGPASS`). Never anything of a command or an address.
   */
  readonly reason: string;
  /** Whether the server answered: the connection works, and asking again would not change the response. */
  readonly answered: boolean;
}

const CODE = /^[A-Z][A-Z0-9_]{1,30}$/;

/**
 * What can be said of an error of the client. The error itself carries the command with its arguments, at the
 * handshake the password, and is dropped here.
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
