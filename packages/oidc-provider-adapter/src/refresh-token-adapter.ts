import { nowSeconds, parseClientId } from '@vestibule/protocol';
import { errors } from 'oidc-provider';
import { sessionOf } from './access-token-of.js';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { findToken } from './find-token.js';
import { instantMember, required, storablePayload, textMember } from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/** Refresh tokens, under their digests. */
export function refreshTokenAdapter(model: string, { records, digester, clock }: AdapterOptions): Adapter {
  const { refreshTokens, authorizations } = records;
  const digestsOf = (id: string) => digester.availableDigests('refresh-token', id);
  return {
    ...unusedOperations(model),
    upsert: async (id, payload) => {
      const storable = storablePayload(payload);
      const { consumed: _column, ...rest } = storable;
      const subject = textMember(storable, 'accountId');
      const authorizationId = textMember(storable, 'grantId');
      const sessionId = sessionOf(storable);
      await refreshTokens.save(digester.digest('refresh-token', id), {
        clientId: required(parseClientId(storable['clientId']), 'clientId'),
        scope: textMember(storable, 'scope') ?? '',
        issuedAt: required(instantMember(storable, 'iat'), 'iat'),
        expiresAt: required(instantMember(storable, 'exp'), 'exp'),
        payload: rest,
        ...(subject !== undefined && { subject }),
        ...(authorizationId !== undefined && { authorizationId }),
        ...(sessionId !== undefined && { sessionId }),
      });
    },
    find: async (id) => {
      const kept = await findToken(digester, (digests) =>
        refreshTokens.find(digests('refresh-token', id), nowSeconds(clock)),
      );
      return kept && { ...kept.payload, jti: id, ...(kept.consumedAt && { consumed: kept.consumedAt }) };
    },
    consume: async (id) => {
      // One of the parallel uses succeeds; the others get the error of a later use.
      const isFirst = await refreshTokens.consume(digestsOf(id), nowSeconds(clock));
      if (!isFirst) throw new errors.InvalidGrant('refresh token already used');
    },
    destroy: (id) => refreshTokens.destroy(digestsOf(id)),
    revokeByGrantId: (grantId) => authorizations.revokeTokens(grantId, nowSeconds(clock)),
  };
}
