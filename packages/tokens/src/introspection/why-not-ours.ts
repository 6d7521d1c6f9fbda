import { decodeUnverifiedJwt, JoseFailure, type UnverifiedJwt, verifyJwt } from '@vestibule/crypto/jwt';
import { keysOfBothServers } from '@vestibule/crypto/signing-keys';
import { ASYMMETRIC_ALGORITHMS, JWT_TYP } from '@vestibule/protocol/constants';
import type { JsonValue } from '@vestibule/protocol/json';
import { ACCESS_TOKEN_MARKS } from '../authorization-server-claims.js';
import { isMarkedAsOurs } from '../issuing/access-token-claims.js';
import type { SelfContainedTokenDeps } from '../self-contained-token.js';
import { JWT_MAX_LENGTH } from '../token-syntax.js';

/** Characters of a value of the token that are shown. */
const SHOWN_LENGTH = 200;

/**
 * Says which requirement of a self-contained access token a text does not meet, for an operator, never for a caller.
 * For a text that `readSelfContained` does not accept. Rejects when the keys cannot be read.
 */
export async function whyNotOurs(deps: SelfContainedTokenDeps, text: string): Promise<string> {
  const jwt = decoded(text);
  if (jwt === undefined) return 'it is not a signed JWT that can be decoded';
  const { header, claims } = jwt;
  if (claims['iss'] !== deps.issuer) return `iss is ${shown(claims['iss'])}; BASE_URL is ${deps.issuer}`;
  if (!isAccessTokenType(jwt))
    return `typ of the header is ${shown(header.typ)}; an access token has ${JWT_TYP.accessToken}`;
  return (await whyNotSigned(deps, text, jwt)) ?? whyNotClaimed(jwt);
}

function decoded(text: string): UnverifiedJwt | undefined {
  try {
    return decodeUnverifiedJwt(text, JWT_MAX_LENGTH);
  } catch (error) {
    if (error instanceof JoseFailure) return undefined;
    throw error;
  }
}

function isAccessTokenType({ header: { typ }, claims }: UnverifiedJwt): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  return (
    type === JWT_TYP.accessToken ||
    (type === 'jwt' && (ACCESS_TOKEN_MARKS.includes(claims['typ']) || isMarkedAsOurs(claims)))
  );
}

async function whyNotSigned(
  { keys, authorizationServerKeys }: SelfContainedTokenDeps,
  text: string,
  { header }: UnverifiedJwt,
): Promise<string | undefined> {
  try {
    const rules = { algorithms: ASYMMETRIC_ALGORITHMS, types: [header.typ], maxLength: JWT_MAX_LENGTH };
    await verifyJwt(text, { keys: keysOfBothServers(keys, authorizationServerKeys), ...rules });
    return undefined;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    const key = `the key with kid ${shown(header.kid)} and alg ${shown(header.alg)}`;
    switch (error.reason) {
      case 'algorithm':
        return `alg is ${shown(header.alg)}; use one of ${ASYMMETRIC_ALGORITHMS.join(', ')}`;
      case 'key': {
        const places = authorizationServerKeys
          ? 'nor in AUTHORIZATION_SERVER_JWKS'
          : 'and AUTHORIZATION_SERVER_JWKS is not set';
        return `${key} is not in the key ring, ${places}`;
      }
      default:
        return `the signature does not verify with ${key}`;
    }
  }
}

function whyNotClaimed({ claims }: UnverifiedJwt): string {
  const clientId = claims['client_id'] ?? claims['azp'];
  const required = { client_id: clientId, sub: claims['sub'], iat: claims['iat'], exp: claims['exp'] };
  const missing = Object.entries(required).find(([, value]) => value === undefined);
  return missing === undefined
    ? 'a claim has the wrong type, iat lies ahead, or exp is more than a year after iat'
    : `${missing[0]}: is required`;
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, SHOWN_LENGTH);
}
