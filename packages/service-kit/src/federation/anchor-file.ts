import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseTrustAnchors, type TrustAnchors } from '@vestibule/federation';
import type { Clock } from '@vestibule/protocol';
import { readJsonObject } from './setting-forms.js';

/** How often the file of trust anchors is read again at most. */
const INTERVAL_MS = 10_000;

const MAX_BYTES = 1_048_576;

/** What following the file of trust anchors takes. */
export interface AnchorFileOptions {
  readonly path: string;
  readonly allowHosts: readonly string[];
  readonly clock: Clock;
  /** Told why the file cannot be used, once as long as the reason stays the same; the anchors held so far stay in use. */
  readonly onProblem: (error: unknown) => void;
}

/** The file of trust anchors cannot be used. */
export class AnchorFileError extends Error {
  override readonly name = 'AnchorFileError';

  constructor(problem: string) {
    super(`FEDERATION_TRUST_ANCHORS_FILE: ${problem}`);
  }
}

/** Reads the file at start. @throws TypeError with a sentence for operators when it cannot be used. */
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
 * The trust anchors of a file, which is read again while the process runs, at most every ten seconds: keys of anchors
 * are added, withdrawn and rolled over without a restart.
 * @throws TypeError when the file cannot be used at start
 */
export function followAnchorFile({
  path,
  allowHosts,
  clock,
  onProblem,
}: AnchorFileOptions): () => Promise<TrustAnchors> {
  let anchors = Promise.resolve(readAnchorFile(path, allowHosts));
  let readAtMs = clock.nowMs();
  let told: string | undefined;
  const readAgain = async (held: TrustAnchors): Promise<TrustAnchors> => {
    try {
      const read = parseAnchorFile(await readFile(path), allowHosts);
      told = undefined;
      return read;
    } catch (error) {
      const problem = error instanceof TypeError ? error.message : 'the file cannot be read';
      if (problem !== told) onProblem(new AnchorFileError(problem));
      told = problem;
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
