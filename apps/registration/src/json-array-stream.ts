import { Readable } from 'node:stream';

/**
 * A JSON array that is written while its pages are read: memory for one page, whatever the number of elements.
 * The first page is read before this returns, so that a store that does not answer fails the request as a whole; a
 * later failure ends the stream with an error, and with it the connection.
 */
export async function jsonArrayStream(pages: AsyncIterable<readonly unknown[]>): Promise<Readable> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return Readable.from(arrayText(first, iterator));
}

type Pages = AsyncIterator<readonly unknown[]>;

async function* arrayText(first: Awaited<ReturnType<Pages['next']>>, rest: Pages): AsyncGenerator<string> {
  let separator = '[';
  for (let page = first; !page.done; page = await rest.next()) {
    if (page.value.length === 0) continue;
    yield separator + page.value.map((element) => JSON.stringify(element)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
