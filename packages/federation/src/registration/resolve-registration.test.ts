import { DomainError } from '@vestibule/protocol';
import { MEDIA_TYPE } from '@vestibule/protocol/constants';
import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_DISCOVERY_LIMITS } from '../chains/discovery-ports.js';
import type { Resolution } from '../chains/resolve-trust.js';
import { createStatementReader } from '../chains/statement-reader.js';
import { SINGLE_DEFECTS, type SingleDefect } from '../testing/single-defects.js';
import {
  anEntity,
  type Changes,
  configurationClaims,
  NOW,
  signAs,
  subordinateClaims,
} from '../testing/test-entity.js';
import { aFederation } from '../testing/test-federation.js';
import { RECIPIENT, served, soundStatements, threeLevels, trustRules } from '../testing/three-levels.js';
import { readExplicitRequest } from './explicit-request.js';
import { type RegistrationRules, requireTrust, resolveRegistration } from './resolve-registration.js';

/** A federation with our provider and a relying party. */
function createRegistrationFixture() {
  const federation = aFederation();
  const { anchors, clock, fetch, fetched } = federation;
  const anchor = federation.entity('anchor.example');
  const org = federation.entity('org.example', [anchor]);
  const op = anEntity('https://op.example');
  const leaf = anEntity('https://rp.example');
  federation.join(leaf, [org]);
  const request = (changes: Changes = {}, header = {}, signer = leaf) =>
    signAs(
      signer,
      configurationClaims(leaf, {
        authority_hints: [org.id],
        metadata: { openid_relying_party: {} },
        aud: op.id,
        ...changes,
      }),
      header,
    );
  const chainOf = (subject: typeof leaf, changes: Changes = {}, ca = anchor) => [
    signAs(
      subject,
      configurationClaims(subject, {
        authority_hints: [ca.id],
        metadata: { openid_provider: {}, openid_relying_party: {} },
        ...changes,
      }),
    ),
    signAs(ca, subordinateClaims(ca, subject)),
    signAs(ca, configurationClaims(ca)),
  ];
  const resolve = (body: string, changes: Partial<RegistrationRules> = {}): Promise<Resolution> => {
    const relyingParty = readExplicitRequest(
      { mediaType: MEDIA_TYPE.entityStatementJwt, body },
      { self: op.id, allowHosts: [], draftProfile: 'accepted' },
    );
    const limits = DEFAULT_DISCOVERY_LIMITS;
    const rules = { profile: relyingParty.subject.profile, allowHosts: [] };
    const signal = new AbortController().signal;
    const reader = createStatementReader({ fetch, clock, limits, rules, signal });
    const trust = { anchors, maxPathLength: 2, now: NOW, requiredMarks: [], allowHosts: [], self: op.id };
    return resolveRegistration(
      relyingParty,
      { ...trust, ...changes },
      { reader, limits, isExhaustive: false },
    );
  };
  return { ...federation, anchor, org, op, leaf, request, chainOf, resolve, fetched };
}

const reasonOf = ({ chosen, paths }: Resolution) => (chosen === undefined ? paths[0]?.reason : undefined);

describe('resolveRegistration', () => {
  it('resolves a chain if the request contains none', async () => {
    const { request, resolve, org, anchor, leaf } = createRegistrationFixture();
    const resolution = await resolve(request());
    expect(requireTrust(resolution).chain.entities).toEqual([leaf.id, org.id, anchor.id]);
    expect(resolution.fetches).toBe(4);
  });

  it('refuses defects of the statement itself before any fetch', async () => {
    const { request, resolve, fetched, leaf, chainOf, op } = createRegistrationFixture();
    const impostor = anEntity(leaf.id, leaf.kid);
    const rows = [
      [request({ exp: NOW }), {}, 'expired'],
      [request({ iat: NOW + 31 }), {}, 'issued_in_future'],
      [request({}, {}, impostor), {}, 'signature'],
      [request({}, { kid: 'other' }), {}, 'key_id'],
      [request({ iat: NOW - 1 }), { notIssuedBefore: NOW }, 'replayed'],
      [request({}, { peer_trust_chain: chainOf(leaf) }), {}, 'given_chain'],
      [request({}, { peer_trust_chain: chainOf(op, { exp: NOW }) }), {}, 'expired'],
    ] as const;
    for (const [body, changes, reason] of rows) {
      const resolution = await resolve(body, changes as Partial<RegistrationRules>);
      expect([reasonOf(resolution), resolution.fetches]).toEqual([reason, 0]);
      expect(resolution.paths[0]?.entities).toEqual([leaf.id]);
    }
    expect(fetched).toEqual([]);
    expect(reasonOf(await resolve(request(), { notIssuedBefore: NOW as never }))).toBeUndefined();
  });

  it('uses only the chain that came with the request', async () => {
    const { request, resolve, fetched, leaf, chainOf, anchor, org } = createRegistrationFixture();
    const hints = { authority_hints: [org.id, anchor.id] };
    const good = await resolve(request(hints, { trust_chain: chainOf(leaf) }));
    expect(requireTrust(good).chain.entities).toEqual([leaf.id, anchor.id]);
    const foreign = anEntity('https://foreign.example');
    const bad = await resolve(
      request({ authority_hints: [org.id, foreign.id] }, { trust_chain: chainOf(leaf, {}, foreign) }),
    );
    expect([reasonOf(bad), bad.fetches]).toEqual(['unknown_anchor', 0]);
    expect(fetched).toEqual([]);
  });

  it('requires a valid chain about the provider that ends at the same anchor', async () => {
    const { request, resolve, chainOf, op, entity } = createRegistrationFixture();
    expect(reasonOf(await resolve(request({}, { peer_trust_chain: chainOf(op) })))).toBeUndefined();
    const other = entity('other.example');
    const elsewhere = await resolve(request({}, { peer_trust_chain: chainOf(op, {}, other) }));
    expect(elsewhere.chosen).toBeUndefined();
    const noProvider = await resolve(request({}, { peer_trust_chain: chainOf(op, { metadata: {} }) }));
    expect(reasonOf(noProvider)).toBe('metadata');
    const contradicting = request({ trust_anchor_id: other.id }, { peer_trust_chain: chainOf(op) });
    expect(reasonOf(await resolve(contradicting))).toBe('unknown_anchor');
  });

  it('ends at the anchor that a request of the draft profile names', async () => {
    const { request, resolve, anchor, entity } = createRegistrationFixture();
    const other = entity('other.example');
    expect(reasonOf(await resolve(request({ trust_anchor_id: anchor.id })))).toBeUndefined();
    expect((await resolve(request({ trust_anchor_id: other.id }))).chosen).toBeUndefined();
  });

  it('requires a relying party and the configured trust marks', async () => {
    const { request, resolve, publishAbout, org, leaf } = createRegistrationFixture();
    expect(reasonOf(await resolve(request(), { requiredMarks: [['a']] }))).toBe('trust_mark');
    publishAbout(org, leaf, { constraints: { allowed_entity_types: [] } });
    expect(reasonOf(await resolve(request()))).toBe('entity_type');
  });
});

describe('a registration with one defect', () => {
  /** Registers the leaf of three levels as a provider would; returns the error code of the refusal. */
  async function codeOf(spoil: SingleDefect): Promise<string | undefined> {
    const fixture = threeLevels();
    const statements = { ...soundStatements(fixture), ...spoil.spoil(fixture) };
    const places = served(fixture, statements);
    const limits = DEFAULT_DISCOVERY_LIMITS;
    const reader = createStatementReader({
      fetch: async (address) => places.get(address),
      clock: frozenClock(),
      limits,
      rules: { profile: 'final', allowHosts: [] },
      signal: new AbortController().signal,
    });
    try {
      const body = { mediaType: MEDIA_TYPE.entityStatementJwt, body: statements.leaf };
      const recipient = { self: RECIPIENT, allowHosts: [], draftProfile: 'accepted' } as const;
      const relyingParty = readExplicitRequest(body, recipient);
      const rules = { ...trustRules(fixture, spoil.rules?.(fixture)), self: RECIPIENT };
      requireTrust(await resolveRegistration(relyingParty, rules, { reader, limits, isExhaustive: false }));
      return undefined;
    } catch (error) {
      if (error instanceof DomainError) return error.code;
      throw error;
    }
  }

  it('succeeds without the defect', async () => {
    expect(await codeOf({ title: 'none', reason: 'claims', spoil: () => ({}) })).toBeUndefined();
  });

  it.each(SINGLE_DEFECTS.filter(({ title }) => title !== 'another anchor is requested'))(
    'is refused with the right error code: $title',
    async (defect) => {
      expect(await codeOf(defect)).toBe(defect.code ?? 'unauthorized_client');
    },
  );
});

describe('requireTrust', () => {
  it('refuses with the same description for every reason, which only the log contains', async () => {
    const { request, resolve, served, op } = createRegistrationFixture();
    const sentences = new Set<string>();
    served.clear();
    for (const body of [request(), request({ exp: NOW }), request({ trust_anchor_id: op.id })])
      try {
        requireTrust(await resolve(body));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(error.code).toBe('unauthorized_client');
        expect(error.detail).toMatch(/^(unresolvable|expired): /);
        sentences.add(error.description);
      }
    expect([...sentences]).toEqual(['The entity cannot be trusted.']);
  });
});
