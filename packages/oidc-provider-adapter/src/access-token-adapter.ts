import { nowSeconds } from '@vestibule/protocol';
import { accessTokenOf } from './access-token-of.js';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { findToken } from './find-token.js';
import { objectMember, storablePayload } from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/**
 * Identifier-based access tokens: the state that introspection returns goes into columns, under the digest of the
 * token, and the rest beside it. The token itself is not stored.
 */
export function accessTokenAdapter(model: string, options: AdapterOptions): Adapter {
  const { records, digester, clock, issuer, endsOfflineAccess } = options;
  const { accessTokens, authorizations } = records;
  const digestsOf = (id: string) => digester.availableDigests('access-token', id);
  return {
    ...unusedOperations(model),
    upsert: async (id, payload, remaining) => {
      const storable = storablePayload(payload);
      const context = { issuer, now: nowSeconds(clock), remaining, endsOfflineAccess };
      const token = accessTokenOf(storable, context);
      const { extra: _columns, aud: _audience, ...rest } = storable;
      const claims = rest['claims'] ?? objectMember(objectMember(storable, 'extra') ?? {}, 'requested');
      const [aud] = token.audience;
      const stored = { ...rest, ...(claims !== undefined && { claims }), ...(aud !== undefined && { aud }) };
      const outlivesSession = rest['expiresWithSession'] !== true;
      await accessTokens.save(digester.digest('access-token', id), token, stored, { outlivesSession });
    },
    find: async (id) => {
      const kept = await findToken(digester, (digests) =>
        accessTokens.find(digests('access-token', id), nowSeconds(clock)),
      );
      return kept && { ...kept.payload, jti: id };
    },
    destroy: (id) => accessTokens.destroy(digestsOf(id)),
    revokeByGrantId: (grantId) => authorizations.revokeTokens(grantId, nowSeconds(clock)),
  };
}
