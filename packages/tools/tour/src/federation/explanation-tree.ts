import type { PathNode } from '@vestibule/federation-service';

/**
 * The lines of a tree of entities: the subject first, superiors below their subordinates, and the result of a path at
 * its end.
 */
export function explanationTree(node: PathNode, names: ReadonlyMap<string, string>): readonly string[] {
  return branchLines(node, names, { first: '    ', others: '    ' });
}

/** The prefixes of the first line of an entity and of the lines below it. */
interface Margin {
  readonly first: string;
  readonly others: string;
}

function branchLines(
  { entity, paths, superiors }: PathNode,
  names: ReadonlyMap<string, string>,
  { first, others }: Margin,
): readonly string[] {
  const name = names.get(entity);
  const ends = paths.map(({ trusted, reason = '', detail = '' }) =>
    trusted ? '   ✓ trusted' : `   ✗ ${reason}: ${detail}`,
  );
  return [
    `${first}${entity}${name === undefined ? '' : ` (${name})`}${ends.join('')}`,
    ...superiors.flatMap((superior, index) => {
      const isLast = index === superiors.length - 1;
      const below = {
        first: `${others}${isLast ? '└─ ' : '├─ '}`,
        others: `${others}${isLast ? '   ' : '│  '}`,
      };
      return branchLines(superior, names, below);
    }),
  ];
}
