const MARK = /^-- Contract of (\d{14}_[a-z0-9_]+)\.$/m;

/**
 * Returns the name of the expansion that a migration completes, from the mark in its text: it drops what no version in
 * use reads or writes any more. `undefined` for all other migrations.
 */
export function contractOf(script: string): string | undefined {
  return MARK.exec(script)?.[1];
}
