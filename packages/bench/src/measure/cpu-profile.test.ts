import { expect, it } from 'vitest';
import { summariseProfile } from './cpu-profile.js';

const node = (id: number, functionName: string, url: string) => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
});

it('sums self time by function and by package, without idle time', () => {
  const summary = summariseProfile({
    nodes: [
      node(1, '(idle)', ''),
      node(2, '(garbage collector)', ''),
      node(3, 'parse', 'file:///x/node_modules/.store/fastify@5/node_modules/fastify/lib/a.js'),
      node(4, '', 'file:///x/packages/tokens/dist/introspect.js'),
      node(5, 'hash', 'node:internal/crypto/hash'),
    ],
    samples: [1, 2, 3, 4, 3, 5],
    timeDeltas: [1000, 10, 20, 30, 20, 20],
  });
  expect(summary.functions).toEqual([
    { name: 'parse fastify a.js:10', share: 0.4 },
    { name: '(anonymous) packages/tokens introspect.js:10', share: 0.3 },
    { name: 'hash node:internal/crypto/hash:10', share: 0.2 },
    { name: '(garbage collector)', share: 0.1 },
  ]);
  expect(summary.packages.map(({ name }) => name)).toEqual([
    'fastify',
    'packages/tokens',
    'node:internal/crypto/hash',
    '(garbage collector)',
  ]);
});

it('refuses what is no profile', () => {
  expect(() => summariseProfile({ nodes: [] })).toThrow();
});
