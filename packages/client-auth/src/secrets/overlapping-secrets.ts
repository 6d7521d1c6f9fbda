import type { EarlierClientSecret } from '@vestibule/clients';
import { type ClientId, nowSeconds } from '@vestibule/protocol';
import type { ClientAuthDeps } from '../client-auth-deps.js';

/** Dependencies of finding earlier secrets. */
export type EarlierSecretDeps = Pick<ClientAuthDeps, 'clock' | 'secretOverlapSeconds'> & {
  readonly clients: Pick<ClientAuthDeps['clients'], 'earlierSecrets'>;
};

/** Returns the replaced secrets of a client that still authenticate it, without those kept for ID token hints only. */
export async function overlappingSecrets(
  { clients, clock, secretOverlapSeconds }: EarlierSecretDeps,
  id: ClientId,
): Promise<readonly EarlierClientSecret[]> {
  if (secretOverlapSeconds === 0) return [];
  const now = nowSeconds(clock);
  const earlier = await clients.earlierSecrets(id, now);
  return earlier.filter(
    ({ authenticatesUntil }) => authenticatesUntil !== undefined && now < authenticatesUntil,
  );
}

/** Whether a plain-text secret is one of them. */
export async function isOverlappingSecret(
  deps: EarlierSecretDeps & Pick<ClientAuthDeps, 'digester'>,
  id: ClientId,
  secret: string,
): Promise<boolean> {
  const earlier = await overlappingSecrets(deps, id);
  return earlier.some(({ digest }) => deps.digester.matchesAvailable('client-secret', secret, digest));
}
