import { type Clock, nowSeconds, systemClock } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { type FederationEntity, startEntity } from './federation-entity.js';
import { changed, type MemberChanges, type StatementChanges } from './sign-statement.js';

/**
 * A whole federation on loopback addresses: an anchor above two intermediates, an issuer of trust marks below the
 * anchor, and relying parties below the first intermediate. All behave correctly by default.
 */
export interface SmallFederation {
  readonly anchor: FederationEntity;
  readonly intermediates: readonly [FederationEntity, FederationEntity];
  readonly markIssuer: FederationEntity;
  /** The type of the marks that its issuer issues. */
  readonly markType: string;
  /** The configuration of the anchor with its keys. */
  readonly trustAnchors: JsonObject;
  /** `host:port` of every entity, for the list of allowed hosts. */
  hosts(): readonly string[];
  /** Starts another entity without a superior. */
  newEntity(): Promise<FederationEntity>;
  /** Starts a relying party below an entity, by default the first intermediate. */
  relyingParty(options?: RelyingPartyOptions): Promise<FederationEntity>;
  /** Issues a mark to an entity, which publishes it from now on. */
  mark(entity: FederationEntity, changes?: StatementChanges): Promise<void>;
  /** The statement with which a relying party registers. */
  registrationRequest(
    relyingParty: FederationEntity,
    audience: string | undefined,
    changes?: StatementChanges,
  ): Promise<string>;
  /**
   * Creates statements with which a relying party registers repeatedly: each is a second younger than the one before.
   */
  registrationRequests(relyingParty: FederationEntity, audience: string): () => Promise<string>;
  close(): Promise<void>;
}

/** The age of the first such statement: there are as many statements as seconds. */
const FIRST_STATEMENT_AGE_SECONDS = 3_000;

/** Properties of a relying party. */
export interface RelyingPartyOptions {
  readonly superior?: FederationEntity;
  /** Changes of its client metadata. */
  readonly metadata?: MemberChanges;
}

/** Starts a small federation. */
export async function openSmallFederation(clock: Clock = systemClock): Promise<SmallFederation> {
  const running: FederationEntity[] = [];
  const start = async () => {
    const entity = await startEntity(clock);
    running.push(entity);
    return entity;
  };
  const [anchor, first, second, markIssuer] = [await start(), await start(), await start(), await start()];
  const markType = `${anchor.id}/marks/member`;
  for (const entity of [first, second, markIssuer]) anchor.vouchFor(entity);
  anchor.claims['trust_mark_issuers'] = { [markType]: [markIssuer.id] };
  const registrationRequest: SmallFederation['registrationRequest'] = (
    relyingParty,
    audience,
    changes = {},
  ) =>
    relyingParty.signConfiguration({
      ...changes,
      claims: { ...(audience !== undefined && { aud: audience }), ...changes.claims },
    });
  return {
    anchor,
    intermediates: [first, second],
    markIssuer,
    markType,
    trustAnchors: { [anchor.id]: anchor.jwks },
    hosts: () => running.map(({ host }) => host),
    newEntity: start,
    relyingParty: async ({ superior = first, metadata } = {}) => {
      const entity = await start();
      entity.metadata['openid_relying_party'] = clientMetadata(entity, metadata);
      superior.vouchFor(entity);
      return entity;
    },
    mark: async (entity, changes) => {
      const claims = { sub: entity.id, trust_mark_type: markType };
      const mark = await markIssuer.signMark('mark', claims, changes);
      entity.marks.push({ trust_mark_type: markType, trust_mark: mark });
    },
    registrationRequest,
    registrationRequests: (relyingParty, audience) => {
      let iat = nowSeconds(clock) - FIRST_STATEMENT_AGE_SECONDS;
      return () => {
        iat += 1;
        return registrationRequest(relyingParty, audience, { claims: { iat } });
      };
    },
    close: async () => {
      await Promise.all(running.map((entity) => entity.close()));
    },
  };
}

function clientMetadata({ id }: FederationEntity, changes: MemberChanges = {}): JsonObject {
  return changed(
    {
      client_name: 'Small relying party',
      redirect_uris: [`${id}/callback`],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      client_registration_types: ['explicit'],
    },
    changes,
  );
}
