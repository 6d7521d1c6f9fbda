import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { type FrozenClock, frozenClock } from '@vestibule/protocol/testing';
import {
  DEFAULT_DISCOVERY_LIMITS,
  type DiscoveryLimits,
  type StatementCache,
} from '../chains/discovery-ports.js';
import type { TrustRules } from '../chains/evaluate-path.js';
import { type Resolution, resolveTrust } from '../chains/resolve-trust.js';
import { createStatementReader } from '../chains/statement-reader.js';
import type { TrustAnchors } from '../chains/trust-anchors.js';
import { configurationAddress } from '../entity-id.js';
import type { Profile } from '../profile.js';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { reportedReason } from './refusal.js';
import {
  anEntity,
  type Changes,
  configurationClaims,
  keysOf,
  signAs,
  subordinateClaims,
  type TestEntity,
} from './test-entity.js';

/** The URL of the fetch endpoint of an entity in the tests. */
export function fetchEndpoint({ id }: TestEntity): string {
  return `${id}/fetch`;
}

/** The URL of the statement of a superior about an entity in the tests. */
export function subordinateAddress(superior: TestEntity, entity: TestEntity): string {
  return `${fetchEndpoint(superior)}?sub=${encodeURIComponent(entity.id)}`;
}

/** The metadata of an entity with subordinates. */
export function superiorMetadata(entity: TestEntity): JsonObject {
  return { federation_entity: { federation_fetch_endpoint: fetchEndpoint(entity) } };
}

/** How a resolution of the tests differs from the default. */
export interface ResolutionChanges {
  readonly rules?: Partial<TrustRules>;
  readonly limits?: Partial<DiscoveryLimits>;
  readonly isExhaustive?: boolean;
  readonly profile?: Profile;
  readonly cache?: StatementCache;
  readonly signal?: AbortSignal;
}

/** A federation whose statements are in memory, under the URLs at which they would be served. */
export function aFederation() {
  const clock: FrozenClock = frozenClock();
  const served = new Map<string, string | (() => Promise<string | undefined>)>();
  const fetched: string[] = [];
  const anchors = new Map<TestEntity['id'], ReturnType<typeof keysOf>>();
  const fetch = async (address: string): Promise<string | undefined> => {
    fetched.push(address);
    const response = served.get(address);
    return typeof response === 'function' ? response() : response;
  };
  /** Publishes the configuration of an entity, and returns it. */
  const publish = (entity: TestEntity, changes: Changes = {}): string => {
    const token = signAs(
      entity,
      configurationClaims(entity, { metadata: superiorMetadata(entity), ...changes }),
    );
    served.set(configurationAddress(entity.id), token);
    return token;
  };
  /** Publishes the statement of a superior about an entity, and returns it. */
  const publishAbout = (superior: TestEntity, entity: TestEntity, changes: Changes = {}): string => {
    const token = signAs(superior, subordinateClaims(superior, entity, changes));
    served.set(subordinateAddress(superior, entity), token);
    return token;
  };
  const join = (entity: TestEntity, superiors: readonly TestEntity[], changes: Changes = {}): string => {
    for (const superior of superiors) publishAbout(superior, entity);
    const hints = superiors.length === 0 ? {} : { authority_hints: superiors.map(({ id }) => id) };
    return publish(entity, { ...hints, ...changes });
  };
  const resolve = (token: string, changes: ResolutionChanges = {}): Promise<Resolution> =>
    resolveIn({ clock, fetch, anchors }, token, changes);
  return {
    clock,
    served,
    fetched,
    anchors,
    fetch,
    publish,
    publishAbout,
    join,
    resolve,
    /** An entity with these superiors; those without any are anchors. */
    entity: (id: string, superiors: readonly TestEntity[] = [], changes: Changes = {}): TestEntity => {
      const entity = anEntity(`https://${id}`);
      join(entity, superiors, changes);
      if (superiors.length === 0) anchors.set(entity.id, keysOf(entity));
      return entity;
    },
    /** A relying party with these superiors, and its configuration. */
    relyingParty: (superiors: readonly TestEntity[], changes: Changes = {}) => {
      const entity = anEntity('https://rp.example');
      const metadata = { openid_relying_party: { redirect_uris: ['https://rp.example/cb'] } };
      return { entity, token: join(entity, superiors, { metadata, ...changes }) };
    },
  };
}

interface ResolutionDeps {
  readonly clock: FrozenClock;
  readonly fetch: (address: string) => Promise<string | undefined>;
  readonly anchors: TrustAnchors;
}

async function resolveIn(
  { clock, fetch, anchors }: ResolutionDeps,
  token: string,
  changes: ResolutionChanges,
): Promise<Resolution> {
  const limits = { ...DEFAULT_DISCOVERY_LIMITS, ...changes.limits };
  const statementRules = { profile: changes.profile ?? 'final', allowHosts: [] };
  const { signal = new AbortController().signal, cache } = changes;
  const reader = createStatementReader({
    fetch,
    ...(cache === undefined ? {} : { cache }),
    clock,
    limits,
    rules: statementRules,
    signal,
  });
  const resolution = await resolveTrust(
    parseConfiguration(decodeStatement(token), statementRules),
    {
      anchors,
      maxPathLength: 2,
      entityType: 'openid_relying_party',
      now: nowSeconds(clock),
      requiredMarks: [],
      allowHosts: [],
      ...changes.rules,
    },
    { reader, limits, isExhaustive: changes.isExhaustive ?? false },
  );
  for (const path of resolution.paths) {
    reportedReason(path);
    for (const mark of path.trustMarks ?? []) reportedReason(mark);
  }
  return resolution;
}
