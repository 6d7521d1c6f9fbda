import { createHash } from 'node:crypto';
import { matchesSecretHash, parseSecretHash, type SecretHash } from '@vestibule/crypto';
import { ThrottledError } from '@vestibule/protocol';

/** Verifies secrets against hashes that are slow by design, a few at a time. */
export interface HashVerifier {
  /**
   * Whether a hash is that of a secret.
   * @throws ThrottledError when too many other hashes are being verified
   */
  matches(secret: string, hash: string): Promise<boolean>;
}

/** Limits of a verifier. */
export interface HashVerifierBounds {
  /** Parallel verifications; other work needs some of the four threads of the pool. */
  readonly running: number;
  /** Maximum number of waiting verifications. */
  readonly waiting: number;
  /**
   * Maximum number for one hash, including waiting ones, so that guessing the secret of one client leaves room for
   * others.
   */
  readonly ofOneHash: number;
}

const BOUNDS: HashVerifierBounds = { running: 2, waiting: 16, ofOneHash: 4 };

/** By then most waiting verifications have finished. */
const RETRY_SECONDS = 2;

/**
 * Creates the verifier of a process. Identical verifications in parallel are shared: however many first requests a
 * client sends, they take one slot.
 */
export function hashVerifier({ running, waiting, ofOneHash }: HashVerifierBounds = BOUNDS): HashVerifier {
  const shared = new Map<string, Promise<boolean>>();
  const pending = new Map<string, number>();
  const queue: (() => void)[] = [];
  let busy = 0;

  const acquire = async (): Promise<void> => {
    if (busy < running) {
      busy += 1;
      return;
    }
    if (queue.length >= waiting) throw overload();
    // The slot is handed over, so that no later verification can take it.
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  const release = (): void => {
    const next = queue.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  const verify = async (secret: string, text: string): Promise<boolean> => {
    await acquire();
    try {
      return await matchesSecretHash(secret, readHash(text));
    } finally {
      release();
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
  if ('refusal' in parsed) throw new TypeError(`a stored secret hash ${parsed.refusal}`);
  return parsed;
}

/** No hash contains NUL, so two pairs never have the same key. */
function requestKey(secret: string, hash: string): string {
  return createHash('sha256').update(`${hash}\0${secret}`).digest('base64');
}
