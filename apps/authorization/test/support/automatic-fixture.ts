import { randomUUID } from 'node:crypto';
import type { AutomaticRegistrationRequest } from '@vestibule/federation/clients';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { frozenClock } from '@vestibule/protocol/testing';
import type { Environment } from '@vestibule/service/settings';
import {
  createEntityKey,
  type EntityKey,
  type FederationEntity,
  type MemberChanges,
  openSmallFederation,
} from '@vestibule/testkit/federation';
import { SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { buildTestApp, ISSUER } from './build-test-app.js';

/** The network of the requests. */
export const NETWORK = '192.0.2.0/24';

/** A relying party with keys of its own as a client. */
export interface Member {
  readonly entity: FederationEntity;
  readonly key: EntityKey;
}

/** An authorization server and a small federation whose anchor it trusts, without caching and throttling. */
export async function createAutomaticFixture(settings: Environment = {}) {
  const federationClock = frozenClock();
  const federation = await openSmallFederation(federationClock);
  onTestFinished(() => federation.close());
  const app = await buildTestApp({
    FEDERATION_ENABLED: 'true',
    FEDERATION_TRUST_ANCHORS: JSON.stringify(federation.trustAnchors),
    FEDERATION_CACHE_SECONDS: '0',
    FEDERATION_NEGATIVE_CACHE_SECONDS: '0',
    RATE_LIMITS_ENABLED: 'false',
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    ALLOW_LOOPBACK_REDIRECT_URIS: 'true',
    ...settings,
  });
  const { automatic, clients } = app.deps;
  if (automatic === undefined) throw new TypeError('federation is not enabled');
  const now = () => nowSeconds(app.clock);
  const registrationRequest = async (
    { entity, key }: Member,
    changes: { readonly claims?: JsonObject; readonly network?: string } = {},
  ): Promise<AutomaticRegistrationRequest> => {
    const { claims = {}, network = NETWORK } = changes;
    const token = await signRequest(key, { ...requestClaims(entity.id, now()), ...claims });
    return { clientId: entity.id, proof: 'request_object', token, network };
  };
  return {
    ...app,
    federation,
    automatic,
    now,
    registrationRequest,
    /** Moves the time of both. */
    advance: (seconds: number) => {
      app.clock.advanceSeconds(seconds);
      federationClock.advanceSeconds(seconds);
    },
    /** Starts a relying party that the server does not know. */
    member: async (metadata: MemberChanges = {}): Promise<Member> => {
      const key = await createEntityKey();
      const entity = await federation.relyingParty({
        metadata: { client_registration_types: ['automatic'], jwks: { keys: [key.publicJwk] }, ...metadata },
      });
      return { entity, key };
    },
    register: async (member: Member) => automatic.register(await registrationRequest(member)),
    /** The stored client. */
    stored: ({ entity }: Member) => clients.find(entity.id as never),
    /** Number of requests to an entity for its configuration. */
    requested: ({ entity }: Member) => entity.requestedPaths.length,
  };
}

/** The claims of a request object, without authorization request parameters. */
export function requestClaims(clientId: string, now: number): JsonObject {
  return { iss: clientId, client_id: clientId, aud: ISSUER, iat: now, exp: now + 60, jti: randomUUID() };
}

/** A request object signed with a key. */
export function signRequest({ privateKey, kid }: EntityKey, claims: JsonObject): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'oauth-authz-req+jwt' })
    .sign(privateKey);
}
