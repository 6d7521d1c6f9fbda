import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventStreamError, eventStreamParser, type StreamEvent } from './event-stream-parser.js';

const LIMITS = { maxLineLength: 100, maxDataLength: 150 };

const encoder = new TextEncoder();

const parsed = (...pieces: readonly (string | Uint8Array)[]): readonly StreamEvent[] => {
  const parser = eventStreamParser(LIMITS);
  return pieces.flatMap((piece) => parser.push(typeof piece === 'string' ? encoder.encode(piece) : piece));
};

describe('an event stream (HTML Living Standard, section 9.2)', () => {
  it('has events with name, data and the last id', () => {
    expect(
      parsed(
        '\ufeff: a comment\nretry: 500\n\nid: 1\nevent: a\ndata: x\ndata:  y\n\n',
        'data\n\nevent: lost\nid:2\n\ndata:z\nid: a\0b\nunknown: field\n\ndata: incomplete\n',
      ),
    ).toEqual([
      { event: 'a', data: 'x\n y', id: '1' },
      { event: 'message', data: '', id: '1' },
      { event: 'message', data: 'z', id: '2' },
    ]);
  });

  it.each(['\n', '\r', '\r\n'])('may end its lines with %j', (end) => {
    expect(parsed(['event: a', 'data: x', '', 'data: y', '', ''].join(end))).toEqual([
      { event: 'a', data: 'x', id: '' },
      { event: 'message', data: 'y', id: '' },
    ]);
  });

  it('is the same in any pieces', () => {
    const line = fc.constantFrom('event: a', 'data: x', 'data: ü€𝄞', 'id: 7', '', ': c', 'data', 'data:');
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.array(fc.nat(8), { minLength: 1 }), (written, sizes) => {
        const bytes = encoder.encode(written.flat().join(''));
        const pieces: Uint8Array[] = [];
        for (let at = 0, index = 0; at < bytes.length; index += 1) {
          const size = (sizes[index % sizes.length] ?? 0) + 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(parsed(...pieces)).toEqual(parsed(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it.each<[string, readonly (string | Uint8Array)[]]>([
    ['a line that is too long', [`data: ${'x'.repeat(95)}\n`]],
    ['a line that is too long and has not ended', ['x'.repeat(60), 'x'.repeat(41)]],
    ['an event that is too large', [`data: ${'x'.repeat(80)}\n`.repeat(2)]],
    ['bytes that are not UTF-8', [new Uint8Array([0xff])]],
  ])('is refused with %s', (_what, pieces) => {
    expect(() => parsed(...pieces)).toThrow(EventStreamError);
  });

  it('throws nothing else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (pieces) => {
        try {
          parsed(...pieces);
        } catch (error) {
          expect(error).toBeInstanceOf(EventStreamError);
        }
      }),
      { numRuns: 500 },
    );
  });
});
