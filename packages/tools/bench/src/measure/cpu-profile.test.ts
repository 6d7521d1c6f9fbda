import { expect, it } from 'vitest';
import { summarizeProfile } from './cpu-profile.js';

function node(id: number, functionName: string, { url = '', children = [] as number[] } = {}) {
  return { id, callFrame: { functionName, url, lineNumber: 9, columnNumber: 0 }, children };
}

it('sums self time by function and by package, without idle time; native time counts for its caller', () => {
  const summary = summarizeProfile({
    nodes: [
      node(0, '(root)', { children: [1, 2, 3, 5] }),
      node(1, '(idle)'),
      node(2, '(garbage collector)'),
      node(3, 'parse', {
        url: 'file:///x/node_modules/.store/fastify@5/node_modules/fastify/lib/a.js',
        children: [4],
      }),
      node(4, '', { url: 'file:///x/packages/tokens/dist/introspect.js', children: [6] }),
      node(5, 'hash', { url: 'node:internal/crypto/hash' }),
      node(6, 'writev'),
    ],
    // Samples of the first half, while the process starts, are ignored.
    samples: [4, 1, 2, 3, 4, 3, 5, 6],
    timeDeltas: [500, 1000, 10, 20, 30, 20, 15, 5],
  });
  expect(summary.functions).toEqual([
    { name: 'parse fastify a.js:10', share: 0.4 },
    { name: '(anonymous) packages/tokens introspect.js:10', share: 0.3 },
    { name: 'hash node:internal/crypto/hash:10', share: 0.15 },
    { name: '(garbage collector)', share: 0.1 },
    { name: 'writev for (anonymous) packages/tokens introspect.js:10', share: 0.05 },
  ]);
  expect(summary.packages).toEqual([
    { name: 'fastify', share: 0.4 },
    { name: 'packages/tokens', share: 0.35 },
    { name: 'node:internal/crypto/hash', share: 0.15 },
    { name: '(garbage collector)', share: 0.1 },
  ]);
});

it('rejects anything but a profile', () => {
  expect(() => summarizeProfile({ nodes: [] })).toThrow();
});
