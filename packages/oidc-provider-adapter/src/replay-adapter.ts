import { sha256 } from '@vestibule/crypto';
import { errors, Provider } from 'oidc-provider';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { expiryOf, required } from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/**
 * Single use of proofs. The library first looks up and then stores a proof, and another use could pass in between. Here
 * the lookup never finds anything, and storing decides.
 */
export function replayAdapter(model: string, options: AdapterOptions): Adapter {
  return {
    ...unusedOperations(model),
    find: async () => undefined,
    upsert: async (id, _payload, expiresIn) => {
      const keepUntil = required(expiryOf(options, expiresIn), 'expiry');
      const outcome = await options.replays.recordUse(sha256(JSON.stringify(['proof', id])), keepUntil);
      if (outcome === 'replayed') throw usedBefore();
      if (outcome === 'unavailable') throw new Error('it is unknown whether a proof was used before');
    },
  };
}

/** The error for a reused proof of possession; client assertions are checked before. */
function usedBefore(): Error {
  const isTokenUse = Provider.ctx?.oidc.route === 'userinfo';
  return isTokenUse
    ? new errors.InvalidToken('a proof was used before')
    : new errors.InvalidGrant('a proof was used before');
}
