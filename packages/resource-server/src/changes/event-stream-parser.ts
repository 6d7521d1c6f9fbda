/** An event of a stream (HTML Living Standard, section 9.2). */
export interface StreamEvent {
  /** `message` unless the event names another one. */
  readonly event: string;
  readonly data: string;
  /** The last `id` of the stream; empty if there was none. */
  readonly id: string;
}

/** The stream exceeds a limit, or is not UTF-8. */
export class EventStreamError extends Error {
  override readonly name = 'EventStreamError';
}

/** Limits of a stream, in characters. */
export interface EventStreamLimits {
  readonly maxLineLength: number;
  /** Largest sum of the data of one event. */
  readonly maxDataLength: number;
}

/** Parses a stream piece by piece. */
export interface EventStreamParser {
  /** Returns the events that are complete after another piece. @throws EventStreamError */
  push(bytes: Uint8Array): readonly StreamEvent[];
}

/** The ends of lines: CR LF, LF and CR. */
const LINE_END = /\r\n|\n|\r/;

/** Creates a parser for one connection. Pieces without the end of a line are searched once. */
export function eventStreamParser({ maxLineLength, maxDataLength }: EventStreamLimits): EventStreamParser {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The beginning of a line. */
  let rest = '';
  /** Whether the last piece ended with CR, so that LF at the start of the next one belongs to it. */
  let endedInCr = false;
  let event = '';
  let data: string[] = [];
  let dataLength = 0;
  let id = '';

  const dispatch = (): StreamEvent | undefined => {
    const complete = data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n'), id };
    event = '';
    data = [];
    dataLength = 0;
    return complete;
  };
  const readField = (line: string) => {
    const [name, value] = fieldOf(line);
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
    if (name === 'data') {
      dataLength += value.length + 1;
      if (dataLength > maxDataLength) throw new EventStreamError('an event is too large');
      data.push(value);
    }
  };
  const linesOf = (piece: string): readonly string[] => {
    const text = endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece;
    endedInCr = piece.endsWith('\r');
    const [first = '', ...others] = text.split(LINE_END);
    const line = rest + first;
    const last = others.pop();
    rest = last ?? line;
    return last === undefined ? [] : [line, ...others];
  };
  return {
    push: (bytes) => {
      const piece = decode(decoder, bytes);
      if (piece === '') return [];
      const lines = linesOf(piece);
      const events: StreamEvent[] = [];
      for (const line of lines) {
        if (line.length > maxLineLength) throw new EventStreamError('a line is too long');
        const complete = line === '' ? dispatch() : void readField(line);
        if (complete !== undefined) events.push(complete);
      }
      if (rest.length > maxLineLength) throw new EventStreamError('a line is too long');
      return events;
    },
  };
}

/** Name and value of a line; a space after the colon does not count. A line without a colon is a name. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)];
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch {
    throw new EventStreamError('the stream is not UTF-8');
  }
}
