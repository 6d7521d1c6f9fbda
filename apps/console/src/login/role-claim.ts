import type { UpstreamLogin } from '@vestibule/service/upstream';
import { ROLES, type Role } from '../frame/operator.js';

/** Which claim of a login gives which role. */
export interface RoleClaim {
  /** Name of the claim; `scope` for the granted scope. */
  readonly claim: string;
  /** The values that give each role. */
  readonly values: Readonly<Record<Role, readonly string[]>>;
}

/** The claim that stands for the granted scope. */
export const SCOPE_CLAIM = 'scope';

/**
 * The highest role that a login gives; `undefined` if it gives none. Only a scope that the provider states counts: the
 * request passes through the browser, so a person may have requested another one than the console.
 */
export function roleOf(
  { claim, values }: RoleClaim,
  { claims, scope = '' }: Pick<UpstreamLogin, 'claims' | 'scope'>,
): Role | undefined {
  const held = claim === SCOPE_CLAIM ? scope.split(' ') : textsOf(claims, claim);
  return ROLES.findLast((role) => values[role].some((value) => held.includes(value)));
}

function textsOf(claims: UpstreamLogin['claims'], claim: string): readonly string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const values = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
