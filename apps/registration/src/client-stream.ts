import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** How serialized elements are joined. */
interface StreamFormat {
  readonly page: (elements: readonly string[], isFirst: boolean) => string;
  readonly end: (isEmpty: boolean) => string;
}

const JSON_ARRAY: StreamFormat = {
  page: (elements, isFirst) => (isFirst ? '[' : ',') + elements.join(','),
  end: (isEmpty) => (isEmpty ? '[]' : ']'),
};

const LINES: StreamFormat = {
  page: (elements) => `${elements.join('\n')}\n`,
  end: () => '',
};

/** Characters that are serialized before other work gets the event loop. */
const TURN_CHARACTERS = 131_072;

/**
 * Pause after each page but the first, in milliseconds. It cuts the time that other requests wait behind a long list,
 * for the database and for this process, to a third.
 */
const REST_MS = 2;

type Pages = AsyncIterable<readonly unknown[]>;

/**
 * Streams a JSON array while its pages are read: memory is bounded by one page, and other requests run in between,
 * whatever the size of the elements. The first page is read before this resolves, so an unavailable store fails the
 * request as a whole. A later failure ends the stream with an error, and so closes the connection. Reading stops when
 * the stream is destroyed.
 */
export function jsonArrayStream(pages: Pages): Promise<Readable> {
  return textStream(pages, JSON_ARRAY);
}

/** Streams one element a line (application/x-ndjson). Every line ends with a line feed; an empty list has no lines. */
export function ndjsonStream(pages: Pages): Promise<Readable> {
  return textStream(pages, LINES);
}

async function textStream(pages: Pages, format: StreamFormat): Promise<Readable> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return Readable.from(textOf(first, iterator, format));
}

type PageIterator = AsyncIterator<readonly unknown[]>;

async function* textOf(
  first: Awaited<ReturnType<PageIterator['next']>>,
  rest: PageIterator,
  format: StreamFormat,
): AsyncGenerator<string> {
  let isEmpty = true;
  try {
    for (let page = first; !page.done; page = await rest.next()) {
      for (const texts of inTurns(page.value)) {
        yield format.page(texts, isEmpty);
        isEmpty = false;
        await nextTurn();
      }
      if (page !== first) await pause(REST_MS);
    }
    yield format.end(isEmpty);
  } finally {
    await rest.return?.();
  }
}

/** Serializes elements in chunks that are quick to produce, however large the elements are. */
function* inTurns(elements: readonly unknown[]): Generator<readonly string[]> {
  let texts: string[] = [];
  let length = 0;
  for (const element of elements) {
    const text = JSON.stringify(element);
    texts.push(text);
    length += text.length;
    if (length < TURN_CHARACTERS) continue;
    yield texts;
    texts = [];
    length = 0;
  }
  if (texts.length > 0) yield texts;
}
