import fc from 'fast-check';
import { expect, it } from 'vitest';
import { responseReader } from './response-reader.js';

const response = (body: string) =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const latin1 = (text: string) => Buffer.from(text).toString('latin1');

it('finds every response, however the bytes are cut into pieces', () => {
  const bodies = ['{"active":true}', '', '{"name":"Zoë"}'];
  const bytes = latin1(bodies.map(response).join(''));
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
      const reader = responseReader();
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const found = places.flatMap((place, i) => reader.read(bytes.slice(place, places[i + 1])));
      expect(found.map(({ body }) => body)).toEqual(bodies);
      expect(found.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes.length);
    }),
  );
});

it('gives status and headers, names in lower case', () => {
  const [first] = responseReader().read('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nX-A:  b\r\n\r\n');
  expect(first).toMatchObject({ status: 401, body: '' });
  expect(first?.headers.get('x-a')).toBe('b');
});

it('knows that 204 has no body', () => {
  expect(responseReader().read('HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n')).toHaveLength(1);
});

it('rejects responses without a length', () => {
  expect(() => responseReader().read('HTTP/1.1 200 OK\r\n\r\n')).toThrow(TypeError);
});
