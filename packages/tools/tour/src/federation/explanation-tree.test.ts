import type { PathNode } from '@vestibule/federation-service';
import { expect, it } from 'vitest';
import { explanationTree } from './explanation-tree.js';

const ANCHOR = 'https://anchor.example';

function node(entity: string, superiors: readonly PathNode[], paths: PathNode['paths'] = []): PathNode {
  return { entity, statement: undefined, superiors, paths };
}

it('draws superiors below their subordinates, with the result of each path at its end', () => {
  const trusted = { entities: [], trusted: true, statements: [] };
  const refused = {
    ...trusted,
    trusted: false,
    reason: 'policy_conflict',
    detail: 'the policies clash',
  } as const;
  const tree = node('https://rp.example', [
    node('https://one.example', [node(ANCHOR, [], [trusted])]),
    node('https://two.example', [node(ANCHOR, [], [refused])]),
  ]);
  expect(explanationTree(tree, new Map([[ANCHOR, 'the anchor']]))).toEqual([
    '    https://rp.example',
    '    ├─ https://one.example',
    '    │  └─ https://anchor.example (the anchor)   ✓ trusted',
    '    └─ https://two.example',
    '       └─ https://anchor.example (the anchor)   ✗ policy_conflict: the policies clash',
  ]);
});
