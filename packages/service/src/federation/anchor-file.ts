import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseTrustAnchors, type TrustAnchors } from '@vestibule/federation/chains';
import type { Clock } from '@vestibule/protocol';
import { readJsonObject } from './setting-forms.js';

/** Minimum interval between rereads of the trust anchor file. */
const INTERVAL_MS = 10_000;

const MAX_BYTES = 1_048_576;

/** Options of {@link followAnchorFile}. */
export interface AnchorFileOptions {
  readonly path: string;
  readonly allowHosts: readonly string[];
  readonly clock: Clock;
  /** Called with the reason if the file is invalid, once for each new reason. The current anchors stay in use. */
  readonly onProblem: (error: unknown) => void;
}

/** The trust anchor file is invalid. */
export class AnchorFileError extends Error {
  override readonly name = 'AnchorFileError';

  constructor(problem: string) {
    super(`FEDERATION_TRUST_ANCHORS_FILE: ${problem}`);
  }
}

/**
 * Reads the trust anchor file at startup.
 * @throws TypeError with a message for operators if the file is invalid
 */
export function readAnchorFile(path: string, allowHosts: readonly string[]): TrustAnchors {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new TypeError('the file cannot be read');
  }
  return parseAnchorFile(bytes, allowHosts);
}

/**
 * Returns the trust anchors of a file, which is reread at most every ten seconds, so that trust anchors and their keys
 * can be changed without a restart.
 * @throws TypeError if the file is invalid at startup
 */
export function followAnchorFile({
  path,
  allowHosts,
  clock,
  onProblem,
}: AnchorFileOptions): () => Promise<TrustAnchors> {
  let anchors = Promise.resolve(readAnchorFile(path, allowHosts));
  let readAtMs = clock.nowMs();
  let reported: string | undefined;
  const readAgain = async (held: TrustAnchors): Promise<TrustAnchors> => {
    try {
      const read = parseAnchorFile(await readFile(path), allowHosts);
      reported = undefined;
      return read;
    } catch (error) {
      const problem = error instanceof TypeError ? error.message : 'the file cannot be read';
      if (problem !== reported) onProblem(new AnchorFileError(problem));
      reported = problem;
      return held;
    }
  };
  return () => {
    const nowMs = clock.nowMs();
    if (Math.abs(nowMs - readAtMs) >= INTERVAL_MS) {
      readAtMs = nowMs;
      anchors = anchors.then(readAgain);
    }
    return anchors;
  };
}

function parseAnchorFile(bytes: Buffer, allowHosts: readonly string[]): TrustAnchors {
  if (bytes.length > MAX_BYTES) throw new TypeError(`the file must have at most ${MAX_BYTES} bytes`);
  const read = readJsonObject(bytes.toString('utf8'));
  if ('problem' in read) throw new TypeError(read.problem);
  return parseTrustAnchors(read.value, allowHosts);
}
