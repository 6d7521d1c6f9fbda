const MARK = /^-- Contract of (\d{14}_[a-z0-9_]+)\.$/m;

/**
 * The expansion whose end a migration is, by the mark in its text: it takes away what no version in use reads or writes
 * any more. Absent for all others.
 */
export function contractOf(script: string): string | undefined {
  return MARK.exec(script)?.[1];
}
