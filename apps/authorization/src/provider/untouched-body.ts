import type { BodyFormat } from '@vestibule/http/bodies';

/** Bodies that are not parsed here: the library reads and validates them itself. */
export const UNTOUCHED_BODY: BodyFormat = {
  mediaTypes: [],
  install: async (scope) => {
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  },
};
