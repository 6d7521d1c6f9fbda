import { isPublicAddress } from './address.js';
import { withinSignal } from './deadline.js';
import { asFault, EgressFault } from './egress-fault.js';
import type { NameLookup } from './name-lookup.js';
import type { Target } from './target.js';

/** The lookups for ordinary and for listed names. */
export interface TargetLookups {
  readonly publicName: NameLookup;
  readonly listedName: NameLookup;
}

/** Whether a connection to this address may carry a request for this target. */
export function isAdmitted(target: Target, address: string): boolean {
  return target.listed || isPublicAddress(address);
}

/**
 * Finds the addresses that a target may be reached at, at least one.
 *
 * A name with a single address that is not public is refused whole: mixed answers are how private addresses hide.
 *
 * @throws EgressFault `unresolvable`, `blocked`, or as the signal says.
 */
export async function resolveTarget(
  target: Target,
  lookups: TargetLookups,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (target.isLiteral) return [target.host];
  const lookup = target.listed ? lookups.listedName : lookups.publicName;
  const found = await withinSignal(signal, lookup(target.host, signal)).catch((error: unknown) => {
    throw asFault(error, 'unresolvable');
  });
  if (found.length === 0) throw new EgressFault('unresolvable');
  if (!found.every((address) => isAdmitted(target, address))) {
    throw new EgressFault('blocked', { detail: 'address' });
  }
  return [...new Set(found)];
}
