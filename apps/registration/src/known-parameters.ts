import type { Hook } from '@vestibule/http';
import { DomainError } from '@vestibule/protocol';
import { type TObject, Type } from 'typebox';

/** Query of a registration or update. */
export const ChangeQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether to check the request only: nothing is stored, consumed or issued.',
      default: 'false',
    }),
  ),
});

/** Whether a query has only the parameters of a schema. */
export function hasOnlyKnownParameters(query: unknown, { properties }: Pick<TObject, 'properties'>): boolean {
  return Object.keys(Object(query)).every((name) => Object.hasOwn(properties, name));
}

/** The error for a query with an unknown parameter, which names the supported ones. */
export function unknownParameter({ properties }: Pick<TObject, 'properties'>): DomainError {
  const names = Object.keys(properties);
  const supported = names.length === 0 ? 'the operation has none' : `supported: ${names.join(', ')}`;
  return new DomainError('invalid_request', `The query has an unknown parameter (${supported}).`);
}

/** Allows the parameters of `ChangeQuery` and no others. */
export const onlyChangeParameters = onlyParameters(ChangeQuery);

/** Allows no parameters: for operations that change something and have no dry run. */
export const noParameters = onlyParameters({ properties: {} });

/**
 * Refuses unknown parameters, so that a misspelt one does not lead to an unintended change. Runs after the token is
 * checked.
 */
function onlyParameters(schema: Pick<TObject, 'properties'>): Hook {
  return (request, _reply, done) => {
    done(hasOnlyKnownParameters(request.query, schema) ? undefined : unknownParameter(schema));
  };
}

/** Whether a request is a dry run. Also works before the query is validated. */
export function isDryRun(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'dry_run' in query && query.dry_run === 'true';
}
