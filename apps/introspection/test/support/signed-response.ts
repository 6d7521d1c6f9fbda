import { verifyJwt } from '@vestibule/crypto/jwt';
import { ASYMMETRIC_ALGORITHMS } from '@vestibule/protocol/constants';
import type { TestService } from './test-service.js';

/** Media types of signed responses. */
export const ACCEPT = {
  jwt: 'application/token-introspection+jwt',
  'legacy-jwt': 'application/jwt',
} as const;

/** Verifies a response with the published keys, and returns its header and claims. */
export async function openResponse({ keys }: TestService, body: string, type = 'token-introspection+jwt') {
  const { header, claims } = await verifyJwt(body, {
    keys: keys.keyRing.verificationKeys,
    algorithms: ASYMMETRIC_ALGORITHMS,
    types: [type],
    maxLength: 16_384,
  });
  return { header: header.members, claims };
}
