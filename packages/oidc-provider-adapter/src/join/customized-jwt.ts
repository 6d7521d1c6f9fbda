import { isDeepStrictEqual } from 'node:util';
import type { JwtCustomizer, UnsignedJwt } from '../jwt-customizer.js';

/**
 * Claims and header members by which a token is recognized and revoked: they are stored, or compared with what is
 * stored. `iat_clock` says whose clock `iat` is from.
 */
const RECORDED_CLAIMS = ['iss', 'sub', 'client_id', 'iat', 'iat_clock', 'exp', 'jti', 'sid'];
const RECORDED_HEADERS = ['alg', 'kid', 'typ'];

/**
 * Ours first, since it replaces the claims: what the team adds stays. A token whose recorded members the team changes
 * is not issued, because no revocation would reach it.
 */
export function customizedJwt(
  ours: JwtCustomizer,
  theirs: unknown,
  onProblem: (problem: string) => void,
): JwtCustomizer {
  if (typeof theirs !== 'function') return ours;
  const reported = new Set<string>();
  return async (context, token, jwt) => {
    await ours(context, token, jwt);
    const recorded = recordedOf(jwt);
    await theirs(context, token, jwt);
    const changed = changedNames(recorded, recordedOf(jwt));
    if (changed.length === 0) return;
    const problem = `formats.customizers.jwt: must not change ${changed.join(', ')}, because revocation and introspection know the token by what was stored. No token was issued; add claims of other names, set lifetimes with ttl, and the type with accessTokenType.`;
    if (!reported.has(problem)) onProblem(problem);
    reported.add(problem);
    throw new TypeError(problem);
  };
}

type Recorded = ReadonlyMap<string, unknown>;

function recordedOf({ header = {}, payload }: UnsignedJwt): Recorded {
  const headers = RECORDED_HEADERS.map((name) => [`header.${name}`, Reflect.get(header, name)] as const);
  return new Map<string, unknown>([
    ...RECORDED_CLAIMS.map((name) => [name, payload[name]] as const),
    ...headers,
  ]);
}

function changedNames(before: Recorded, after: Recorded): readonly string[] {
  return [...before]
    .filter(([name, value]) => !isDeepStrictEqual(value, after.get(name)))
    .map(([name]) => name);
}
