import type { PathReport, StatementReport } from '@vestibule/federation/chains';

/**
 * An entity in the tree of all paths that were tried: the subject is the root, the superiors of an entity are its
 * children.
 */
export interface PathNode {
  readonly entity: string;
  /** The statement that leads to this entity; absent if it was unavailable. */
  readonly statement: StatementReport | undefined;
  /** The paths that end here. */
  readonly paths: readonly PathReport[];
  readonly superiors: readonly PathNode[];
}

/** Merges paths with a common beginning. */
export function pathTree(subject: string, paths: readonly PathReport[]): PathNode {
  return nodeAt(subject, paths, 0);
}

function nodeAt(entity: string, paths: readonly PathReport[], depth: number): PathNode {
  const next = [...new Set(paths.flatMap(({ entities }) => entities[depth + 1] ?? []))];
  const statements = paths.flatMap(({ statements: all }) => all[depth] ?? []);
  return {
    entity,
    statement: statements.toSorted((one, other) => other.checks.length - one.checks.length)[0],
    paths: paths.filter(({ entities }) => entities.length === depth + 1),
    superiors: next.map((superior) =>
      nodeAt(
        superior,
        paths.filter(({ entities }) => entities[depth + 1] === superior),
        depth + 1,
      ),
    ),
  };
}
