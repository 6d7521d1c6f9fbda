import { preferredMediaType } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';

/**
 * Formats of an introspection response: JSON (RFC 7662), a JWT that contains it in a claim (RFC 9701 section 5), or a
 * JWT with its members as claims (draft 08 of RFC 9701, introspection/API.md#signed-responses).
 */
export type IntrospectionFormat = 'json' | 'jwt' | 'legacy-jwt';

/**
 * Selects the format by an `Accept` header, in the order of `preferredMediaType`. JSON without a header, and if no
 * format is acceptable.
 */
export function introspectionFormat(accept: string | undefined): IntrospectionFormat {
  // Fast path for the values that nearly all callers send.
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPE.json) return 'json';
  if (accept === MEDIA_TYPE.tokenIntrospectionJwt) return 'jwt';
  return FORMATS[
    preferredMediaType(accept, [MEDIA_TYPE.json, MEDIA_TYPE.tokenIntrospectionJwt, MEDIA_TYPE.jwt])
  ];
}

const FORMATS = {
  [MEDIA_TYPE.json]: 'json',
  [MEDIA_TYPE.tokenIntrospectionJwt]: 'jwt',
  [MEDIA_TYPE.jwt]: 'legacy-jwt',
} as const;
