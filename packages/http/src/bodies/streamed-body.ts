import type { BodyFormat } from './body-format.js';

/** Creates a body format that is not parsed: `request.body` is the stream, which the handler reads as it arrives. */
export function streamedBody(mediaTypes: readonly string[]): BodyFormat {
  return {
    mediaTypes,
    install: async (scope) => {
      scope.addContentTypeParser([...mediaTypes], (_request, stream, done) => done(null, stream));
    },
  };
}

/** Combines body formats of different media types. */
export function eitherBody(...formats: readonly BodyFormat[]): BodyFormat {
  return {
    mediaTypes: formats.flatMap(({ mediaTypes }) => mediaTypes),
    install: async (scope) => {
      for (const format of formats) await format.install(scope);
    },
  };
}
