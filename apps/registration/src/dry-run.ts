import { Type } from 'typebox';

/** The query of a registration or update. */
export const ChangeQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether the request is only judged: nothing is stored, spent or issued.',
      default: 'false',
    }),
  ),
});

/** Whether a request is only to be judged; before its query was checked, too. */
export function isDryRun(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === 'true';
}
