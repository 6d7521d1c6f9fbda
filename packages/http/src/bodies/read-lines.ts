import type { Readable } from 'node:stream';

/** A line of a body. */
export interface BodyLine {
  /** Position in the body, from 1. */
  readonly number: number;
  /** The bytes without the line feed; absent if there are more than allowed. */
  readonly bytes?: Buffer;
}

const LINE_FEED = 0x0a;

/**
 * Reads the lines of a stream in the groups in which they arrive, and no faster than they are consumed. Empty lines are
 * counted and left out; the last line needs no line feed. Of a line that is too long, nothing is kept.
 */
export async function* readLines(
  stream: Readable,
  maxLineBytes: number,
): AsyncGenerator<readonly BodyLine[], void> {
  let number = 1;
  /** The beginning of a line whose end has not arrived. */
  let rest: Buffer[] = [];
  let restBytes = 0;
  const keep = (bytes: Buffer) => {
    restBytes += bytes.length;
    if (restBytes > maxLineBytes) rest = [];
    else rest.push(bytes);
  };
  const endLine = (): BodyLine => {
    const line = restBytes > maxLineBytes ? { number } : { number, bytes: Buffer.concat(rest) };
    number += 1;
    rest = [];
    restBytes = 0;
    return line;
  };
  // Without destroying the stream at the end, because that closes the connection before the response is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    const lines: BodyLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      keep(bytes.subarray(start, end));
      lines.push(endLine());
      start = end + 1;
    }
    keep(bytes.subarray(start));
    const filled = lines.filter(isFilled);
    if (filled.length > 0) yield filled;
  }
  const last = [endLine()].filter(isFilled);
  if (last.length > 0) yield last;
}

/** Whether a line is not empty; a carriage return before the line feed does not count. */
function isFilled({ bytes }: BodyLine): boolean {
  return bytes === undefined || !(bytes.length === 0 || (bytes.length === 1 && bytes[0] === 0x0d));
}
