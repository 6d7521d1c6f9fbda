import type { Server } from '@vestibule/http';
import { createLocalJWKSet, type JWTVerifyOptions, jwtVerify } from 'jose';
import { ISSUER, NOW } from './build-test-app.js';

/** Verifies a JWT as a third party would: against the published key set, at the time of the tests. */
export async function verified(app: Server, jwt: string, options: JWTVerifyOptions = {}) {
  const keySet = createLocalJWKSet((await app.inject('/jwks.json')).json());
  return jwtVerify(jwt, keySet, { issuer: ISSUER, currentDate: new Date(NOW * 1000), ...options });
}
