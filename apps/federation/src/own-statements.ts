import { signJwt } from '@vestibule/crypto/jwt';
import { federationMembers } from '@vestibule/metadata';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { ENDPOINT_PATH, JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import type { OwnEntity } from './deps.js';

/**
 * The algorithm of our federation keys, which every member of a federation can verify
 * (federation/API.md#registration-statement).
 */
export const FEDERATION_ALGORITHM = 'RS256';

/** The algorithms for which a store must have federation keys; none if federation is not enabled. */
export function federationAlgorithms({
  FEDERATION_ENABLED,
}: {
  readonly FEDERATION_ENABLED: boolean;
}): readonly [typeof FEDERATION_ALGORITHM] | undefined {
  return FEDERATION_ENABLED ? [FEDERATION_ALGORITHM] : undefined;
}

/** A document signed with a federation key of ours. */
export interface OwnStatement {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Our entity configuration (OpenID Federation 1.0 section 9): our identity, our superiors, and the metadata of the
 * provider.
 */
export async function ownConfiguration(entity: OwnEntity, clock: Clock): Promise<OwnStatement> {
  const { self, keys, authorityHints, trustMarks, information } = entity;
  const claims = {
    ...commonClaims(entity, clock, entity.statementLifetimeSeconds),
    jwks: publicKeys(keys),
    ...(authorityHints.length > 0 && { authority_hints: authorityHints }),
    ...(trustMarks.length > 0 && {
      trust_marks: trustMarks.map(({ type, token }) => ({ trust_mark_type: type, trust_mark: token })),
    }),
    metadata: {
      federation_entity: {
        ...information,
        federation_historical_keys_endpoint: self + ENDPOINT_PATH.historicalKeys,
      },
      openid_provider: { ...(await entity.providerMetadata()), ...federationMembers(self) },
    },
  };
  const key = keys.signingKey(FEDERATION_ALGORITHM);
  const text = await signJwt({ key, typ: JWT_TYP.entityStatement, claims });
  return { contentType: MEDIA_TYPE.entityStatementJwt, text };
}

/**
 * The keys of the provider, for parties that trust it only through a federation (OpenID Federation 1.0 section 5.2.1).
 */
export async function signedKeySet(entity: OwnEntity, clock: Clock): Promise<OwnStatement> {
  const key = entity.keys.signingKey(FEDERATION_ALGORITHM);
  const claims = {
    ...commonClaims(entity, clock, entity.providerKeysMaxAgeSeconds),
    ...publicKeys(entity.providerKeys),
  };
  const text = await signJwt({ key, typ: JWT_TYP.jwkSet, claims });
  return { contentType: MEDIA_TYPE.jwkSetJwt, text };
}

/**
 * The federation keys that are no longer published, so that old trust chains can be verified (OpenID Federation 1.0
 * section 8.7).
 */
export async function signedHistoricalKeys(entity: OwnEntity, clock: Clock): Promise<OwnStatement> {
  const now = nowSeconds(clock);
  const keys = (await entity.historicalKeys(now)).map(({ publicJwk, createdAt, expiresAt }) => ({
    ...publicJwk,
    iat: createdAt,
    exp: expiresAt,
  }));
  const key = entity.keys.signingKey(FEDERATION_ALGORITHM);
  const text = await signJwt({ key, typ: JWT_TYP.jwkSet, claims: { iss: entity.self, iat: now, keys } });
  return { contentType: MEDIA_TYPE.jwkSetJwt, text };
}

function commonClaims({ self }: OwnEntity, clock: Clock, lifetimeSeconds: number) {
  const now = nowSeconds(clock);
  return { iss: self, sub: self, iat: now, exp: now + lifetimeSeconds };
}

/** Key sets contain only JSON values; their type does not express that. */
function publicKeys(keys: OwnEntity['providerKeys']): JsonObject & { readonly keys: JsonObject[] } {
  return JSON.parse(JSON.stringify(keys.publicJwks()));
}
