import { describe, expect, it } from 'vitest';
import { jsonArrayStream, ndjsonStream } from './client-stream.js';

async function* pagesOf(...pages: readonly (readonly unknown[])[]) {
  yield* pages;
}

/** Reads a stream, and counts how often other work ran before its end. */
async function consumed(stream: AsyncIterable<unknown>) {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const parts: string[] = [];
  for await (const part of stream) parts.push(String(part));
  clearImmediate(next);
  return { parts, turns };
}

const large = (name: string) => ({ name, text: name.repeat(60_000) });

describe('a page of large elements', () => {
  const elements = [...'abcdefgh'].map(large);

  it('is written in parts, and lets other work run after each', async () => {
    const { parts, turns } = await consumed(await jsonArrayStream(pagesOf(elements)));
    expect(JSON.parse(parts.join(''))).toEqual(elements);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(200_000);
    expect(turns).toBeGreaterThanOrEqual(parts.length - 1);
  });

  it('is written in parts with one element per line, too', async () => {
    const { parts } = await consumed(await ndjsonStream(pagesOf(elements, [], elements)));
    const lines = parts.join('').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([...elements, ...elements]);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(200_000);
  });
});

it('is an empty array for no pages and for empty pages, and one part for a small page', async () => {
  expect((await consumed(await jsonArrayStream(pagesOf()))).parts).toEqual(['[]']);
  expect((await consumed(await jsonArrayStream(pagesOf([], [])))).parts).toEqual(['[]']);
  expect((await consumed(await jsonArrayStream(pagesOf([], [1, 2], [3])))).parts).toEqual([
    '[1,2',
    ',3',
    ']',
  ]);
  expect((await consumed(await ndjsonStream(pagesOf([], [1, 2])))).parts.join('')).toBe('1\n2\n');
});
