import { nowSeconds, parseClientId } from '@vestibule/protocol';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import { expiryOf, required, storablePayload, textMember } from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/** Grants: what an end-user consented to for a client. Their identifiers are not credentials. */
export function grantAdapter(model: string, options: AdapterOptions): Adapter {
  const { records, clock } = options;
  const { authorizations } = records;
  return {
    ...unusedOperations(model),
    upsert: (id, payload, expiresIn) => {
      const storable = storablePayload(payload);
      const expiresAt = expiryOf(options, expiresIn);
      const authorization = {
        id,
        clientId: required(parseClientId(storable['clientId']), 'clientId'),
        subject: required(textMember(storable, 'accountId'), 'accountId'),
        payload: storable,
        ...(expiresAt !== undefined && { expiresAt }),
      };
      return authorizations.save(authorization, nowSeconds(clock));
    },
    find: async (id) => {
      const kept = await authorizations.find(id, nowSeconds(clock));
      return kept && { ...kept.payload, jti: id };
    },
    destroy: (id) => authorizations.destroy(id, nowSeconds(clock)),
    revokeByGrantId: (grantId) => authorizations.revokeTokens(grantId, nowSeconds(clock)),
  };
}
