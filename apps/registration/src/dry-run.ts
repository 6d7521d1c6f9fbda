import { DomainError } from '@vestibule/protocol';
import type { Hook } from '@vestibule/service-kit';
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

/**
 * Refuses every parameter but those of a schema, so that nobody who misspells one makes a change that was not meant. Runs
 * after the token was judged.
 */
export function onlyParameters(names: readonly string[]): Hook {
  return (request, _reply, done) => {
    const isKnown = Object.keys(Object(request.query)).every((name) => names.includes(name));
    if (isKnown) done();
    else
      done(new DomainError('invalid_request', 'The query has a parameter that the operation does not know'));
  };
}

/** For operations that store something: with the parameters of `ChangeQuery` and no others. */
export const onlyChangeParameters = onlyParameters(Object.keys(ChangeQuery.properties));

/** For operations that store something and cannot be rehearsed. */
export const noParameters = onlyParameters([]);
