import type { ErrorCode } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import type { TrustRules } from '../chains/evaluate-path.js';
import type { FederationReason } from '../federation-failure.js';
import { anEntity, keysOf, LIFETIME, NOW } from './test-entity.js';
import { RECIPIENT, SIGN, type Statements, type ThreeLevels } from './three-levels.js';

const RP = 'openid_relying_party';
const policy = (parameter: string, operators: JsonObject) => ({
  metadata_policy: { [RP]: { [parameter]: operators } },
});

/** A defect of a chain of three levels, and the reason why a chain with it must be refused. */
export interface SingleDefect {
  readonly title: string;
  readonly reason: FederationReason;
  readonly spoil: (fixture: ThreeLevels) => Partial<Statements>;
  readonly rules?: (fixture: ThreeLevels) => Partial<TrustRules>;
  /** The error code of the refused registration; `unauthorized_client` unless the statement itself is defective. */
  readonly code?: ErrorCode;
  /** Whether only the fetched configuration of a superior shows the defect, which a given chain does not contain. */
  readonly discoveryOnly?: true;
  /** The reason in a given chain if it differs, because the chain does not contain the configurations of superiors. */
  readonly given?: FederationReason;
}

const impostor = (fixture: ThreeLevels) => anEntity(fixture.anchor.id, fixture.anchor.kid);
/** A previous key of the intermediate, which its superior still lists. */
function withDroppedKey(fixture: ThreeLevels) {
  const old = anEntity(fixture.org.id, 'an earlier key');
  const keys = [fixture.org.jwks, old.jwks].flatMap(({ keys: own }) => (Array.isArray(own) ? own : []));
  return { old, aboutOrg: SIGN.aboutOrg(fixture, { jwks: { keys } }) };
}

const expired = { iat: NOW - LIFETIME, exp: NOW };
const future = { iat: NOW + 31 };

/** Chains with one defect each, all of which must be refused (OpenID Federation 1.0 section 10.2). */
export const SINGLE_DEFECTS: readonly SingleDefect[] = [
  {
    title: 'the leaf signed with a key of its own that its superior does not know',
    reason: 'key_id',
    spoil: (w) => {
      const other = anEntity(w.leaf.id, w.leaf.kid);
      return { leaf: SIGN.leaf(w, { jwks: other.jwks }, {}, other) };
    },
  },
  {
    title: 'the leaf signed with another key under its key id',
    reason: 'signature',
    spoil: (w) => ({ leaf: SIGN.leaf(w, {}, { kid: w.leaf.kid }, w.outsider) }),
  },
  {
    title: 'the leaf signed with a key that only its superior knows',
    reason: 'key_id',
    spoil: (w) => ({ leaf: SIGN.leaf(w, { jwks: w.outsider.jwks }) }),
  },
  {
    title: 'the leaf signed with an unknown key id',
    reason: 'key_id',
    spoil: (w) => ({ leaf: SIGN.leaf(w, {}, { kid: 'other' }) }),
  },
  { title: 'the leaf expired', reason: 'expired', spoil: (w) => ({ leaf: SIGN.leaf(w, expired) }) },
  {
    title: 'the leaf issued in the future',
    reason: 'issued_in_future',
    spoil: (w) => ({ leaf: SIGN.leaf(w, future) }),
  },
  {
    title: 'the leaf names another superior',
    reason: 'not_a_superior',
    spoil: (w) => ({ leaf: SIGN.leaf(w, { authority_hints: [w.outsider.id] }) }),
    given: 'not_a_superior',
  },
  {
    title: 'the leaf is not a relying party',
    code: 'invalid_request',
    reason: 'metadata',
    spoil: (w) => ({ leaf: SIGN.leaf(w, { metadata: { openid_provider: {} } }) }),
  },
  {
    title: 'the leaf has a critical extension',
    code: 'invalid_request',
    reason: 'critical_claim',
    spoil: (w) => ({ leaf: SIGN.leaf(w, { crit: ['x'], x: 1 }) }),
  },
  {
    title: 'the statement about the leaf signed by an outsider',
    reason: 'signature',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, {}, { kid: w.org.kid }, w.outsider) }),
  },
  {
    title: 'the statement about the leaf signed with the anchor’s key',
    reason: 'key_id',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, {}, {}, w.anchor) }),
  },
  {
    title: 'the statement about the leaf expired',
    reason: 'expired',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, expired) }),
  },
  {
    title: 'the statement about the leaf issued in the future',
    reason: 'issued_in_future',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, future) }),
  },
  {
    title: 'the statement about the leaf is about another entity',
    reason: 'unexpected_statement',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { sub: w.outsider.id }) }),
  },
  {
    title: 'the statement about the leaf is about the leaf with a slash',
    reason: 'unexpected_statement',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { sub: `${w.leaf.id}/` }) }),
  },
  {
    title: 'the statement about the leaf is by another entity',
    reason: 'unexpected_statement',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { iss: w.outsider.id }) }),
  },
  {
    title: 'the statement about the leaf has other keys',
    reason: 'key_id',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { jwks: w.outsider.jwks }) }),
  },
  {
    title: 'the statement about the leaf is of another type',
    reason: 'wrong_type',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, {}, { typ: 'JWT' }) }),
  },
  {
    title: 'the statement about the leaf contains a chain',
    reason: 'header',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, {}, { trust_chain: [] }) }),
  },
  {
    title: 'the statement about the leaf has a critical policy operator',
    reason: 'critical_operator',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { metadata_policy_crit: ['regexp'] }) }),
  },
  {
    title: 'the statement about the leaf repeats a member',
    reason: 'malformed_statement',
    spoil: (w) => ({
      aboutLeaf: SIGN.aboutLeaf(w, {}, {}).replace(
        /\.[^.]+\./,
        `.${Buffer.from('{"iss":"a","iss":"b"}').toString('base64url')}.`,
      ),
    }),
  },
  {
    title: 'the statement about the intermediate signed by an impostor',
    reason: 'signature',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, {}, {}, impostor(w)) }),
  },
  {
    title: 'the statement about the intermediate expired',
    reason: 'expired',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, expired) }),
  },
  {
    title: 'the statement about the intermediate has other keys',
    reason: 'key_id',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, { jwks: w.outsider.jwks }) }),
  },
  {
    title: 'the statement about the intermediate is about another entity',
    reason: 'unexpected_statement',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, { sub: w.outsider.id }) }),
  },
  {
    title: 'the statement about the intermediate without exp',
    reason: 'claims',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, { exp: undefined }) }),
  },
  {
    title: 'the anchor impersonated with keys of its own',
    reason: 'key_id',
    spoil: (w) => {
      const other = impostor(w);
      return {
        anchor: SIGN.anchor(w, { jwks: other.jwks }, {}, other),
        aboutOrg: SIGN.aboutOrg(w, {}, {}, other),
      };
    },
  },
  {
    title: 'the configuration of the anchor signed by an impostor',
    reason: 'signature',
    spoil: (w) => ({ anchor: SIGN.anchor(w, {}, {}, impostor(w)) }),
  },
  {
    title: 'the configuration of the anchor expired',
    reason: 'expired',
    spoil: (w) => ({ anchor: SIGN.anchor(w, expired) }),
  },
  {
    title: 'the anchor is not configured',
    reason: 'unknown_anchor',
    spoil: () => ({}),
    rules: (w) => ({ anchors: new Map([[w.outsider.id, keysOf(w.outsider)]]) }),
  },
  {
    title: 'another anchor is requested',
    reason: 'unknown_anchor',
    spoil: () => ({}),
    rules: (w) => ({ requestedAnchor: w.outsider.id }),
  },
  {
    title: 'the intermediate names another superior',
    reason: 'unresolvable',
    discoveryOnly: true,
    spoil: (w) => ({ org: SIGN.org(w, { authority_hints: [w.outsider.id] }) }),
  },
  {
    title: 'the configuration of the intermediate signed by an outsider',
    reason: 'signature',
    discoveryOnly: true,
    spoil: (w) => ({ org: SIGN.org(w, {}, { kid: w.org.kid }, w.outsider) }),
  },
  {
    title: 'the configuration of the intermediate expired',
    reason: 'expired',
    discoveryOnly: true,
    spoil: (w) => ({ org: SIGN.org(w, expired) }),
  },
  {
    title: 'the configuration of the intermediate is about another entity',
    reason: 'unexpected_statement',
    discoveryOnly: true,
    spoil: (w) => ({ org: SIGN.org(w, { iss: w.outsider.id, sub: w.outsider.id }) }),
  },
  {
    title: 'the intermediate publishes no fetch endpoint',
    reason: 'no_fetch_endpoint',
    discoveryOnly: true,
    spoil: (w) => ({ org: SIGN.org(w, { metadata: { federation_entity: {} } }) }),
  },
  {
    title: 'more intermediates than permitted',
    reason: 'path_too_long',
    spoil: () => ({}),
    rules: () => ({ maxPathLength: 0 }),
  },
  {
    title: 'more intermediates than permitted under this anchor',
    reason: 'path_too_long',
    spoil: () => ({}),
    rules: (w) => ({ byAnchor: new Map([[w.anchor.id, { maxPathLength: 0 }]]) }),
  },
  {
    title: 'a trust mark that this anchor requires is missing',
    reason: 'trust_mark',
    spoil: () => ({}),
    rules: (w) => ({ byAnchor: new Map([[w.anchor.id, { requiredMarks: [['https://marks.example/a']] }]]) }),
  },
  {
    title: 'the leaf is on the deny list',
    reason: 'denied',
    spoil: () => ({}),
    rules: (w) => ({ denied: new Set([w.leaf.id]) }),
  },
  {
    title: 'the intermediate is on the deny list',
    reason: 'denied',
    spoil: () => ({}),
    rules: (w) => ({ denied: new Set([w.org.id]) }),
  },
  {
    title: 'the anchor is on the deny list',
    reason: 'denied',
    spoil: () => ({}),
    rules: (w) => ({ denied: new Set([w.anchor.id]) }),
  },
  {
    title: 'more intermediates than the anchor allows',
    reason: 'max_path_length',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, { constraints: { max_path_length: 0 } }) }),
  },
  {
    title: 'the intermediate outside the names that the anchor permits',
    reason: 'naming_constraints',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, { constraints: { naming_constraints: { permitted: ['rp.example.com'] } } }),
    }),
  },
  {
    title: 'the leaf among the names that the anchor excludes',
    reason: 'naming_constraints',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, { constraints: { naming_constraints: { excluded: ['rp.example.com'] } } }),
    }),
  },
  {
    title: 'the leaf among the names that the intermediate excludes',
    reason: 'naming_constraints',
    spoil: (w) => ({
      aboutLeaf: SIGN.aboutLeaf(w, { constraints: { naming_constraints: { excluded: ['rp.example.com'] } } }),
    }),
  },
  {
    title: 'relying parties are not allowed below the anchor',
    reason: 'entity_type',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, { constraints: { allowed_entity_types: ['openid_provider'] } }),
    }),
  },
  {
    title: 'relying parties are not allowed below the intermediate',
    reason: 'entity_type',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { constraints: { allowed_entity_types: [] } }) }),
  },
  {
    title: 'the policies of anchor and intermediate contradict each other',
    reason: 'policy_conflict',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, policy('subject_type', { value: 'pairwise' })),
      aboutLeaf: SIGN.aboutLeaf(w, policy('subject_type', { value: 'public' })),
    }),
  },
  {
    title: 'the policies of anchor and intermediate cannot be combined',
    reason: 'policy_malformed',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, policy('contacts', { subset_of: ['a'] })),
      aboutLeaf: SIGN.aboutLeaf(w, policy('contacts', { add: ['b'] })),
    }),
  },
  {
    title: 'the metadata does not comply with the anchor’s policy',
    reason: 'policy_violation',
    spoil: (w) => ({ aboutOrg: SIGN.aboutOrg(w, policy('client_name', { essential: true })) }),
  },
  {
    title: 'the metadata does not comply with the intermediate’s policy',
    reason: 'policy_violation',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, policy('contacts', { superset_of: ['b@rp.example'] })) }),
  },
  {
    title: 'the statement about the leaf signed with a key that the intermediate has dropped',
    reason: 'key_id',
    spoil: (w) => {
      const { old, aboutOrg } = withDroppedKey(w);
      return { aboutOrg, aboutLeaf: SIGN.aboutLeaf(w, {}, {}, old) };
    },
    discoveryOnly: true,
  },
  {
    title: 'the configuration of the intermediate signed with a key that it has dropped',
    reason: 'key_id',
    spoil: (w) => {
      const { old, aboutOrg } = withDroppedKey(w);
      return { aboutOrg, org: SIGN.org(w, {}, {}, old) };
    },
    discoveryOnly: true,
  },
  ...['https://evil.example.com', '*.example.com', '', '.', 'rp.example.com:443', 'rp.exämple.com'].map(
    (name) => ({
      title: `the anchor excludes the name “${name}”, which cannot be read`,
      reason: 'constraints' as const,
      spoil: (w: ThreeLevels) => ({
        aboutOrg: SIGN.aboutOrg(w, { constraints: { naming_constraints: { excluded: [name] } } }),
      }),
    }),
  ),
  {
    title: 'the anchor permits an invalid name',
    reason: 'constraints',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, {
        constraints: { naming_constraints: { permitted: ['.example.com', '*.example.org'] } },
      }),
    }),
  },
  {
    title: 'the anchor names federation_entity among the allowed entity types',
    reason: 'constraints',
    spoil: (w) => ({
      aboutOrg: SIGN.aboutOrg(w, { constraints: { allowed_entity_types: ['federation_entity', RP] } }),
    }),
  },
  {
    title: 'the statement about the leaf has an audience',
    reason: 'claims',
    spoil: (w) => ({ aboutLeaf: SIGN.aboutLeaf(w, { aud: RECIPIENT }) }),
  },
  ...[1, 'x', 'http://org.example.com/fetch', null, ['https://org.example.com/fetch']].map((endpoint) => ({
    title: `the statement about the leaf has the source endpoint ${JSON.stringify(endpoint)}`,
    reason: 'claims' as const,
    spoil: (w: ThreeLevels) => ({ aboutLeaf: SIGN.aboutLeaf(w, { source_endpoint: endpoint }) }),
  })),
  ...[[], 'https://anchor.example.org', ['x'], [1], null].map((hints) => ({
    title: `the leaf has the anchor hints ${JSON.stringify(hints)}`,
    code: 'invalid_request' as const,
    reason: 'claims' as const,
    spoil: (w: ThreeLevels) => ({ leaf: SIGN.leaf(w, { trust_anchor_hints: hints }) }),
  })),
];
