import { Type } from 'typebox';

/** Query of a registration or update. */
export const ChangeQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether to check the request only: nothing is stored, consumed or issued.',
      default: 'false',
    }),
  ),
});

/** Whether a request is a dry run. Also works before the query is validated. */
export function isDryRun(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === 'true';
}
