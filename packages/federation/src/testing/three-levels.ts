import type { JsonObject } from '@vestibule/protocol/json';
import type { TrustRules } from '../chains/evaluate-path.js';
import { configurationAddress } from '../entity-id.js';
import { anEntityId } from './entity-ids.js';
import {
  anEntity,
  type Changes,
  configurationClaims,
  keysOf,
  NOW,
  signAs,
  subordinateClaims,
  type TestEntity,
} from './test-entity.js';
import { subordinateAddress, superiorMetadata } from './test-federation.js';

/** A leaf, an intermediate and an anchor, and an entity outside the federation. */
export interface ThreeLevels {
  readonly leaf: TestEntity;
  readonly org: TestEntity;
  readonly anchor: TestEntity;
  readonly outsider: TestEntity;
}

/** The five statements of a federation with three levels. */
export interface Statements {
  readonly leaf: string;
  readonly aboutLeaf: string;
  readonly org: string;
  readonly aboutOrg: string;
  readonly anchor: string;
}

/** The provider to which the statement of the leaf is addressed. */
export const RECIPIENT = anEntityId('https://op.example.com');

/** The entities of the tests. */
export function threeLevels(): ThreeLevels {
  return {
    leaf: anEntity('https://rp.example.com'),
    org: anEntity('https://org.example.com'),
    anchor: anEntity('https://anchor.example.org'),
    outsider: anEntity('https://evil.example.com'),
  };
}

/** Signs one of the statements with changes; by default with the key of its issuer. */
export const SIGN = {
  leaf: ({ leaf, org }: ThreeLevels, changes: Changes = {}, header: JsonObject = {}, by: TestEntity = leaf) =>
    signAs(by, leafClaims(leaf, org, changes), header),
  aboutLeaf: (
    { leaf, org }: ThreeLevels,
    changes: Changes = {},
    header: JsonObject = {},
    by: TestEntity = org,
  ) => signAs(by, subordinateClaims(org, leaf, changes), header),
  org: ({ org, anchor }: ThreeLevels, changes: Changes = {}, header: JsonObject = {}, by: TestEntity = org) =>
    signAs(
      by,
      configurationClaims(org, { authority_hints: [anchor.id], metadata: superiorMetadata(org), ...changes }),
      header,
    ),
  aboutOrg: (
    { org, anchor }: ThreeLevels,
    changes: Changes = {},
    header: JsonObject = {},
    by: TestEntity = anchor,
  ) => signAs(by, subordinateClaims(anchor, org, changes), header),
  anchor: (
    { anchor }: ThreeLevels,
    changes: Changes = {},
    header: JsonObject = {},
    by: TestEntity = anchor,
  ) => signAs(by, configurationClaims(anchor, { metadata: superiorMetadata(anchor), ...changes }), header),
} as const;

function leafClaims(leaf: TestEntity, org: TestEntity, changes: Changes): JsonObject {
  const metadata = {
    openid_relying_party: { redirect_uris: ['https://rp.example.com/cb'], contacts: ['a@rp.example'] },
  };
  return configurationClaims(leaf, { authority_hints: [org.id], metadata, aud: RECIPIENT, ...changes });
}

/** The statements of a federation without defects. */
export function soundStatements(fixture: ThreeLevels): Statements {
  return {
    leaf: SIGN.leaf(fixture),
    aboutLeaf: SIGN.aboutLeaf(fixture),
    org: SIGN.org(fixture),
    aboutOrg: SIGN.aboutOrg(fixture),
    anchor: SIGN.anchor(fixture),
  };
}

/** The statements under the URLs at which they would be served, except that of the leaf, which is submitted. */
export function served({ leaf, org, anchor }: ThreeLevels, statements: Statements): Map<string, string> {
  return new Map([
    [subordinateAddress(org, leaf), statements.aboutLeaf],
    [configurationAddress(org.id), statements.org],
    [subordinateAddress(anchor, org), statements.aboutOrg],
    [configurationAddress(anchor.id), statements.anchor],
  ]);
}

/** The statements as a chain that comes with a request. */
export function asGivenChain({ leaf, aboutLeaf, aboutOrg, anchor }: Statements): readonly string[] {
  return [leaf, aboutLeaf, aboutOrg, anchor];
}

/** The rules under which the valid statements make a trusted chain. */
export function trustRules({ anchor }: ThreeLevels, changes: Partial<TrustRules> = {}): TrustRules {
  return {
    anchors: new Map([[anchor.id, keysOf(anchor)]]),
    maxPathLength: 2,
    entityType: 'openid_relying_party',
    now: NOW,
    requiredMarks: [],
    allowHosts: [],
    ...changes,
  };
}
