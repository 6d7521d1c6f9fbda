import { createHash } from 'node:crypto';
import { matchesSecretHash, parseSecretHash, type SecretHash } from '@vestibule/crypto';
import { ThrottledError } from '@vestibule/protocol';

/** Verifies secrets against hashes that are slow by design, a few at a time. */
export interface HashVerifier {
  /**
   * Whether a hash is that of a secret.
   * @throws ThrottledError when too many others are being verified
   */
  matches(secret: string, hash: string): Promise<boolean>;
}

/** What bounds the work of a verifier. */
export interface HashVerifierBounds {
  /** Verifications at a time: of the four threads of the pool others need some too. */
  readonly running: number;
  /** The most verifications that wait for their turn. */
  readonly waiting: number;
  /** The most of one hash, those that wait included: guesses at one client leave room for the others. */
  readonly ofOneHash: number;
}

const BOUNDS: HashVerifierBounds = { running: 2, waiting: 16, ofOneHash: 4 };

/** By then most of what waits is done. */
const RETRY_SECONDS = 2;

/**
 * A verifier of one process. The same secret and hash, asked for many times at once, are verified once: however many
 * first requests a client sends in parallel, they take one place.
 */
export function hashVerifier({ running, waiting, ofOneHash }: HashVerifierBounds = BOUNDS): HashVerifier {
  const shared = new Map<string, Promise<boolean>>();
  const pending = new Map<string, number>();
  const queue: (() => void)[] = [];
  let busy = 0;

  const enter = async (): Promise<void> => {
    if (busy < running) {
      busy += 1;
      return;
    }
    if (queue.length >= waiting) throw overload();
    // The place is handed over: nothing that comes meanwhile can take it.
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  const verify = async (secret: string, text: string): Promise<boolean> => {
    await enter();
    try {
      return await matchesSecretHash(secret, readHash(text));
    } finally {
      leave();
    }
  };
  return {
    matches: (secret, text) => {
      const key = requestKey(secret, text);
      const present = shared.get(key);
      if (present !== undefined) return present;
      const count = pending.get(text) ?? 0;
      if (count >= ofOneHash) return Promise.reject(overload());
      pending.set(text, count + 1);
      const response = verify(secret, text).finally(() => {
        shared.delete(key);
        const left = (pending.get(text) ?? 1) - 1;
        if (left === 0) pending.delete(text);
        else pending.set(text, left);
      });
      shared.set(key, response);
      return response;
    },
  };
}

function overload(): ThrottledError {
  return new ThrottledError(RETRY_SECONDS, 'too many hashes of imported secrets are being verified');
}

function readHash(text: string): SecretHash {
  const parsed = parseSecretHash(text);
  if ('refusal' in parsed) throw new TypeError(`a stored hash of a secret ${parsed.refusal}`);
  return parsed;
}

/** No hash has a NUL: two pairs never have one key. */
function requestKey(secret: string, hash: string): string {
  return createHash('sha256').update(`${hash}\0${secret}`).digest('base64');
}
