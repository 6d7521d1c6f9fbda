import Type from 'typebox';
import type { CrossOriginOptions } from '../cross-origin.js';
import type { HeaderDescription } from './operation-description.js';

/**
 * What answers of a route group carry where pages of other origins may call it (Fetch Standard, "CORS protocol"). None
 * of it is required: which origins those are is set where the service runs.
 */
export function describeCrossOrigin({
  exposedHeaders,
}: CrossOriginOptions): Readonly<Record<string, HeaderDescription>> {
  return {
    vary: {
      description: 'What pages may read depends on it, where those of some origins may call the service.',
      schema: Type.Enum(['Origin']),
    },
    'access-control-allow-origin': {
      description:
        'The origin of the page that called, where it may read the response; `*` where every page may.',
      schema: Type.String({ pattern: '^(?:\\*|https?://[^/]+)$' }),
    },
    'access-control-expose-headers': {
      description: 'The headers that such a page may read, besides those that every page may.',
      schema: Type.Enum([exposedHeaders.join(', ')]),
    },
  };
}
