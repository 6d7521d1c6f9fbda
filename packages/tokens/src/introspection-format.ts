import { MEDIA_TYPE, preferredMediaType } from '@vestibule/protocol';

/**
 * How an introspection answer is written: as JSON (RFC 7662), as a JWT that holds it (RFC 9701 section 5), or as a
 * JWT that is it (introspection/API.md#signed-responses, the legacy form).
 */
export type IntrospectionFormat = 'json' | 'jwt' | 'legacy-jwt';

/**
 * The format that an `Accept` header asks for, by the order of `preferredMediaType`; JSON is the response to no header
 * and to wishes that no format fulfils.
 */
export function introspectionFormat(accept: string | undefined): IntrospectionFormat {
  // What nearly every caller sends costs no more than these.
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
