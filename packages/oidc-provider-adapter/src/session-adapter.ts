import { nowSeconds } from '@vestibule/protocol';
import { isJsonObject, type JsonObject } from '@vestibule/protocol/json';
import type { FoundSession, SessionClientRecord } from '@vestibule/tokens/provider';
import { Provider } from 'oidc-provider';
import type { Adapter } from './adapter.js';
import type { AdapterOptions } from './adapter-options.js';
import {
  expiryOf,
  instantMember,
  objectMember,
  required,
  storablePayload,
  textMember,
} from './model-payload.js';
import { unusedOperations } from './unused-operations.js';

/**
 * Sessions: the key of the row is the session's `uid`, which does not change; it is found by the digest of the cookie.
 * The table determines the clients that are logged in to, so that a session that ends at one client ends there for the
 * library too.
 */
export function sessionAdapter(model: string, options: AdapterOptions): Adapter {
  const { records, digester, clock } = options;
  const { sessions } = records;
  return {
    ...unusedOperations(model),
    upsert: async (id, payload, expiresIn) => {
      const storable = storablePayload(payload);
      const subject = textMember(storable, 'accountId');
      const authenticatedAt = instantMember(storable, 'loginTs');
      const session = {
        id: required(textMember(storable, 'uid'), 'uid'),
        cookieDigest: digester.digest('session-cookie', id),
        payload: storable,
        expiresAt: required(expiryOf(options, expiresIn), 'expiry'),
        clients: clientsOf(storable),
        ...(subject !== undefined && { subject }),
        ...(authenticatedAt !== undefined && { authenticatedAt }),
      };
      await sessions.save(session, nowSeconds(clock));
    },
    find: async (id) => {
      const found = await digester.find((digests) =>
        sessions.findByCookie(digests('session-cookie', id), nowSeconds(clock)),
      );
      return found && { ...payloadOf(found), jti: id };
    },
    findByUid: async (uid) => {
      const found = await sessions.find(uid, nowSeconds(clock));
      return found && payloadOf(found);
    },
    destroy: async (id) => {
      // The library is about to save the session under its next identifier, which replaces this one in one statement.
      const isRenewal = Provider.ctx?.oidc.session?.oldId === id;
      if (isRenewal) return;
      await sessions.destroyByCookie(digester.availableDigests('session-cookie', id), nowSeconds(clock));
    },
  };
}

function clientsOf(payload: JsonObject): readonly SessionClientRecord[] {
  const entries = Object.entries(objectMember(payload, 'authorizations') ?? {});
  return entries.flatMap(([clientId, authorization]) => {
    const sid = sidOf(authorization);
    return sid === undefined ? [] : [{ clientId, sid }];
  });
}

function sidOf(authorization: unknown): string | undefined {
  return isJsonObject(authorization) ? textMember(authorization, 'sid') : undefined;
}

/**
 * A client that only the table contains has received its ID token elsewhere: the library continues with the same `sid`.
 */
function payloadOf({ payload, clients }: FoundSession): JsonObject {
  const kept = objectMember(payload, 'authorizations') ?? {};
  if (clients.length === 0 && payload['authorizations'] === undefined) return payload;
  const authorizations = clients.map(({ clientId, sid }) => [
    clientId,
    sidOf(kept[clientId]) === sid ? kept[clientId] : { sid },
  ]);
  return { ...payload, authorizations: Object.fromEntries(authorizations) };
}
