import { Readable } from 'node:stream';

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

type Pages = AsyncIterable<readonly unknown[]>;

/**
 * A JSON array that is written while its pages are read: memory for one page, whatever the number of elements.
 * The first page is read before this returns, so that a store that does not answer fails the request as a whole; a
 * later failure ends the stream with an error, and with it the connection. Nothing more is read once nobody listens.
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
      if (page.value.length === 0) continue;
      yield format.page(page.value.map(toText), isEmpty);
      isEmpty = false;
    }
    yield format.end(isEmpty);
  } finally {
    await rest.return?.();
  }
}

function toText(element: unknown): string {
  return JSON.stringify(element);
}
