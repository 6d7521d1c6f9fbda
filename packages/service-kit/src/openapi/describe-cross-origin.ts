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
      description: 'Present if the service allows some origins: the CORS headers depend on the origin.',
      schema: Type.Enum(['Origin']),
    },
    'access-control-allow-origin': {
      description: 'The calling origin, if its pages may read the response; `*` if every origin may.',
      schema: Type.String({ pattern: '^(?:\\*|https?://[^/]+)$' }),
    },
    'access-control-expose-headers': {
      description: 'Headers that such a page may read in addition to the CORS-safelisted ones.',
      schema: Type.Enum([exposedHeaders.join(', ')]),
    },
  };
}
