import Type from 'typebox';
import type { CrossOriginOptions } from '../routes/cross-origin.js';
import type { HeaderDescription } from './operation-description.js';

/**
 * Describes the response headers of CORS (Fetch Standard, "CORS protocol"). None is required, because the allowed
 * origins are a setting of the service.
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
