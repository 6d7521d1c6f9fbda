import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.js';

/** Reads all lines of a body that arrives in these chunks. */
async function linesOf(chunks: readonly Buffer[], maxLineBytes = 1_000) {
  const lines: [number, string | undefined][] = [];
  for await (const group of readLines(Readable.from(chunks), maxLineBytes)) {
    expect(group.length).toBeGreaterThan(0);
    for (const { number, bytes } of group) lines.push([number, bytes?.toString('latin1')]);
  }
  return lines;
}

const cut = (body: Buffer, places: readonly number[]): readonly Buffer[] => {
  const ends = [...places.map((place) => place % (body.length + 1)), body.length].toSorted((a, b) => a - b);
  return ends
    .map((end, index) => body.subarray(ends[index - 1] ?? 0, end))
    .filter(({ length }) => length > 0);
};

describe('readLines', () => {
  it('gives the same lines with their numbers, however the body is cut into chunks', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '"', '{', '\r', '\u2028'), maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.nat(200)),
        fc.boolean(),
        async (all, places, ends) => {
          const body = Buffer.from(all.join('\n') + (ends ? '\n' : ''));
          const wanted = all
            .map((text, index) => [index + 1, Buffer.from(text).toString('latin1')])
            .filter(([, text]) => text !== '' && text !== '\r');
          expect(await linesOf(cut(body, places))).toEqual(wanted);
        },
      ),
    );
  });

  it('keeps nothing of a line that is too long, and reads the lines after it', async () => {
    const body = Buffer.from(
      `${'a'.repeat(11)}\n${'b'.repeat(10)}\n${'c'.repeat(5_000)}\nd\n${'e'.repeat(11)}`,
    );
    const wanted = [
      [1, undefined],
      [2, 'b'.repeat(10)],
      [3, undefined],
      [4, 'd'],
      [5, undefined],
    ];
    for (const size of [1, 3, 4_096, body.length]) {
      const places = Array.from({ length: Math.floor(body.length / size) }, (_, index) => index * size);
      expect(await linesOf(cut(body, places), 10)).toEqual(wanted);
    }
  });

  it('has no lines for an empty body', async () => {
    for (const body of ['', '\n', '\r\n\n'])
      expect(await linesOf(body === '' ? [] : [Buffer.from(body)])).toEqual([]);
  });

  it('reads no further ahead than its consumer', async () => {
    let produced = 0;
    const source = Readable.from(
      (function* () {
        for (; produced < 1_000; produced += 1) yield Buffer.alloc(1_024, 'a\n');
      })(),
    );
    const lines = readLines(source, 1_000);
    await lines.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(produced).toBeLessThan(100);
    await lines.return();
    expect(source.destroyed).toBe(false);
  });

  it('rejects when the stream breaks off', async () => {
    const source = new Readable({ read: () => undefined });
    source.push('a\nb');
    const lines = readLines(source, 10);
    expect((await lines.next()).value).toMatchObject([{ number: 1 }]);
    source.destroy(new Error('cut off'));
    await expect(lines.next()).rejects.toThrow('cut off');
  });
});
