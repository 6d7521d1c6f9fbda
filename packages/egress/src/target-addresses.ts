import { isPublicAddress } from './address.js';
import { withinSignal } from './deadline.js';
import { asFault, EgressFault } from './egress-fault.js';
import type { NameLookup } from './name-lookup.js';
import type { Target } from './target.js';

/** The lookups for public and for listed names. */
export interface TargetLookups {
  readonly publicName: NameLookup;
  readonly listedName: NameLookup;
}

/** Whether a request for this target may be sent to this address. */
export function isAdmitted(target: Target, address: string): boolean {
  return target.listed || isPublicAddress(address);
}

/**
 * Resolves a target to at least one permitted address.
 *
 * A name with any address that is not public is refused as a whole, because mixed results are a way to hide private
 * addresses.
 *
 * @throws EgressFault `unresolvable`, `blocked`, or the reason of the signal.
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
