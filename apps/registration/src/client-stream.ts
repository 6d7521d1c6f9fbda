import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** How elements that are JSON texts are put together. */
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

/** How much text is made before others have their turn, in characters. */
const TURN_CHARACTERS = 131_072;

/**
 * How long nothing is done for a long list after each of its pages but the first, in milliseconds: others then wait for
 * their share of the database, and of this process, a third as long as behind a list that never rests.
 */
const REST_MS = 2;

type Pages = AsyncIterable<readonly unknown[]>;

/**
 * A JSON array that is written while its pages are read: memory for one page, whatever the number of elements, and a
 * turn for other requests in between, whatever their size. The first page is read before this returns, so that a store
 * that does not answer fails the request as a whole; a later failure ends the stream with an error, and with it the
 * connection. Nothing more is read once nobody listens.
 */
export function jsonArrayStream(pages: Pages): Promise<Readable> {
  return textStream(pages, JSON_ARRAY);
}

/** The same with one element a line (application/x-ndjson); each line has its end, and no elements are no lines. */
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

/** The texts of elements, however large these are, in parts that are made quickly. */
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
