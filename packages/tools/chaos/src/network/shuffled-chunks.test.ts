import { expect, it } from 'vitest';
import { shuffledChunks } from './shuffled-chunks.js';

const HEADER = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

function shuffled(text: string) {
  const found = shuffledChunks(Buffer.from(text), ['reset']);
  return [String(found.shuffled), String(found.rest)];
}

it('turns chunks round and repeats them, and keeps the header and what must stay in order', () => {
  const [a, b, c] = ['event: a\n\n', 'event: b\r\n\n', 'ä'].map(chunk);
  const reset = chunk('event: reset\n\n');
  expect(shuffled(`${a}${b}${c}`)).toEqual([`${c}${b}${a}${c}${b}${a}`, '']);
  expect(shuffled(`${HEADER}${a}${reset}${b}${c}`)).toEqual([`${HEADER}${a}${reset}${c}${b}${c}${b}`, '']);
});

it('leaves what has not arrived completely', () => {
  const [a, b] = [chunk('one'), chunk('two')];
  expect(shuffled(HEADER.slice(0, 20))).toEqual(['', HEADER.slice(0, 20)]);
  for (let length = 0; length < b.length; length += 1)
    expect(shuffled(`${a}${b.slice(0, length)}`)).toEqual([`${a}${a}`, b.slice(0, length)]);
});
