import { closeSync, openSync, readSync } from 'node:fs';

/** Searches for many secrets at once. */
export interface SecretFinder {
  /** The secrets in a file, in any of their encodings. */
  inFile(path: string): ReadonlySet<string>;
}

/** The length of the searched end of a secret; none may be shorter, not even in hexadecimal. */
const TAIL_LENGTH = 20;
const PIECE_BYTES = 1 << 22;
const TRIPLES = 1 << 24;

interface Form {
  readonly secret: string;
  readonly text: string;
}

/** Creates a finder of secrets of at least 20 printable ASCII characters each. */
export function secretFinder(secrets: Iterable<string>): SecretFinder {
  const forms = [...secrets].flatMap(formsOf);
  const mayEnd = tailFilter(forms);
  const byTail = new Map<string, Form[]>();
  for (const form of forms) {
    const tail = tailOf(form);
    byTail.set(tail, [...(byTail.get(tail) ?? []), form]);
  }
  const longest = forms.reduce((most, { text }) => Math.max(most, text.length), 0);
  const formsBefore = (bytes: Buffer, end: number) =>
    (byTail.get(bytes.toString('latin1', end - TAIL_LENGTH, end)) ?? []).filter(
      ({ text }) => bytes.toString('latin1', Math.max(0, end - text.length), end) === text,
    );
  const search = (bytes: Buffer, found: Set<string>) => {
    for (const [start, after] of longRuns(bytes))
      for (let end = start + TAIL_LENGTH; end <= after; end += 1)
        if (mayEnd(bytes, end)) for (const { secret } of formsBefore(bytes, end)) found.add(secret);
  };
  const buffer = Buffer.allocUnsafe(PIECE_BYTES + longest);
  return { inFile: (path) => searchFile(path, buffer, search) };
}

/** Finds long runs of printable characters without a space, reading only some of the other bytes. */
function* longRuns(bytes: Buffer): Generator<readonly [start: number, after: number]> {
  for (let at = TAIL_LENGTH - 1; at < bytes.length; at += TAIL_LENGTH) {
    if (!isPrintable(bytes[at])) continue;
    let start = at;
    while (start > 0 && isPrintable(bytes[start - 1])) start -= 1;
    while (at < bytes.length && isPrintable(bytes[at])) at += 1;
    if (at - start >= TAIL_LENGTH) yield [start, at];
  }
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}

/** Excludes most places where no form can end, by their last six bytes. */
function tailFilter(forms: readonly Form[]): (bytes: Buffer, end: number) => boolean {
  // Whether a form ends in three bytes (1), and whether its previous three bytes are these (2).
  const triples = new Uint8Array(TRIPLES);
  for (const form of forms) {
    const bytes = Buffer.from(tailOf(form), 'latin1');
    for (const [mark, end] of [
      [1, TAIL_LENGTH],
      [2, TAIL_LENGTH - 3],
    ] as const)
      triples[tripleBefore(bytes, end)] = (triples[tripleBefore(bytes, end)] ?? 0) | mark;
  }
  const marks = (bytes: Buffer, end: number) => triples[tripleBefore(bytes, end)] ?? 0;
  return (bytes, end) => (marks(bytes, end) & 1) !== 0 && (marks(bytes, end - 3) & 2) !== 0;
}

function tailOf({ text }: Form): string {
  return text.slice(-TAIL_LENGTH);
}

/** As it is, in hexadecimal, and in base64url without its last character, which depends on what follows. */
function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret, 'latin1');
  const texts = [secret, bytes.toString('hex'), bytes.toString('base64url').slice(0, -1)];
  return texts.map((text) => ({ secret, text }));
}

function tripleBefore(bytes: Buffer, end: number): number {
  return ((bytes[end - 3] ?? 0) << 16) | ((bytes[end - 2] ?? 0) << 8) | (bytes[end - 1] ?? 0);
}

/** Searches a file chunk by chunk; a possible start of a secret is searched again with the next chunk. */
function searchFile(
  path: string,
  buffer: Buffer,
  search: (bytes: Buffer, found: Set<string>) => void,
): ReadonlySet<string> {
  const found = new Set<string>();
  const longest = buffer.length - PIECE_BYTES;
  const file = openSync(path, 'r');
  try {
    for (let kept = 0; ; ) {
      const read = readSync(file, buffer, kept, PIECE_BYTES, null);
      if (read === 0) return found;
      const filled = kept + read;
      search(buffer.subarray(0, filled), found);
      kept = Math.min(longest, filled);
      buffer.copy(buffer, 0, filled - kept, filled);
    }
  } finally {
    closeSync(file);
  }
}
