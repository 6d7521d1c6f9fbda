import { DomainError } from '@vestibule/protocol';
import type { Hook } from '@vestibule/service-kit';
import type { TObject } from 'typebox';
import { ChangeQuery } from './dry-run.js';

/** Whether a query has no other parameters than those of a schema. */
export function hasOnlyKnownParameters(query: unknown, { properties }: Pick<TObject, 'properties'>): boolean {
  return Object.keys(Object(query)).every((name) => Object.hasOwn(properties, name));
}

/** For operations that store something: with the parameters of `ChangeQuery` and no others. */
export const onlyChangeParameters = onlyParameters(ChangeQuery);

/** For operations that store something and cannot be rehearsed. */
export const noParameters = onlyParameters({ properties: {} });

/** Nobody who misspells a parameter makes a change that was not meant. Runs after the token was judged. */
function onlyParameters(schema: Pick<TObject, 'properties'>): Hook {
  return (request, _reply, done) => {
    if (hasOnlyKnownParameters(request.query, schema)) done();
    else
      done(new DomainError('invalid_request', 'The query has a parameter that the operation does not know'));
  };
}
