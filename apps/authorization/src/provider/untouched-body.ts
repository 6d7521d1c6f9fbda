import type { BodyFormat } from '@vestibule/service-kit';

/** Bodies that are left where they are: the library reads them itself, and judges their form. */
export const UNTOUCHED_BODY: BodyFormat = {
  mediaTypes: [],
  install: async (scope) => {
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  },
};
