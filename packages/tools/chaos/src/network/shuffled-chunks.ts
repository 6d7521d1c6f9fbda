/** Complete chunks of an HTTP response in another order, and what is not complete. */
export interface ShuffledChunks {
  readonly shuffled: Buffer;
  readonly rest: Buffer;
}

const HEADER_END = '\r\n\r\n';
const LINE_END = '\r\n';

/**
 * Turns the order of the complete chunks (RFC 9112 section 7.1) round, and repeats them all. The header, chunks with one of the
 * given texts, and those before them stay where they are, once.
 * @param bytes the response from its header or from the beginning of a chunk on
 */
export function shuffledChunks(bytes: Buffer, inOrder: readonly string[]): ShuffledChunks {
  const pieces = completePieces(bytes);
  const isFixed = (piece: string) =>
    piece.startsWith('HTTP/') || inOrder.some((text) => piece.includes(text));
  const end = pieces.findLastIndex(isFixed) + 1;
  const turned = pieces.slice(end).toReversed();
  const shuffled = Buffer.from([...pieces.slice(0, end), ...turned, ...turned].join(''), 'latin1');
  const taken = pieces.reduce((sum, { length }) => sum + length, 0);
  return { shuffled, rest: bytes.subarray(taken) };
}

/** The header, if there is one, and the chunks with their framing, read as Latin-1. */
function completePieces(bytes: Buffer): readonly string[] {
  const text = bytes.toString('latin1');
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += pieces.at(-1)?.length ?? 0) {
    const end = pieceEnd(text, start);
    if (end === undefined || end > text.length) break;
    pieces.push(text.slice(start, end));
  }
  return pieces;
}

/** Where the header or chunk at a place ends; `undefined` if that has not arrived. */
function pieceEnd(text: string, start: number): number | undefined {
  const isHeader = text.startsWith('HTTP/', start);
  const mark = isHeader ? HEADER_END : LINE_END;
  const at = text.indexOf(mark, start);
  if (at === -1) return undefined;
  const dataStart = at + mark.length;
  if (isHeader) return dataStart;
  const length = Number.parseInt(text.slice(start, at), 16);
  if (Number.isNaN(length)) throw new TypeError('this is not a chunk');
  return dataStart + length + LINE_END.length;
}
