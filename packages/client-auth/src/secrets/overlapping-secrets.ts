import type { PreviousClientSecret } from '@vestibule/clients';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthDeps } from '../client-auth-deps.js';

/** Dependencies of finding previous secrets. */
export type PreviousSecretDeps = Pick<ClientAuthDeps, 'clock' | 'secretOverlapSeconds'> & {
  readonly clients: Pick<ClientAuthDeps['clients'], 'previousSecrets'>;
};

/** Returns the replaced secrets of a client that still authenticate it, without those kept for ID token hints only. */
export async function overlappingSecrets(
  { clients, clock, secretOverlapSeconds }: PreviousSecretDeps,
  id: ClientId,
): Promise<readonly PreviousClientSecret[]> {
  if (secretOverlapSeconds === 0) return [];
  const now = nowSeconds(clock);
  const previous = await clients.previousSecrets(id, now);
  return previous.filter(
    ({ authenticatesUntil }) => authenticatesUntil !== undefined && now < authenticatesUntil,
  );
}

/** Whether a plain-text secret is one of them. */
export async function isOverlappingSecret(
  deps: PreviousSecretDeps & Pick<ClientAuthDeps, 'digester'>,
  id: ClientId,
  secret: string,
): Promise<boolean> {
  const previous = await overlappingSecrets(deps, id);
  return previous.some(({ digest }) => deps.digester.matchesAvailable('client-secret', secret, digest));
}
