import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import type { TrustRules } from '../chains/evaluate-path.js';
import { configurationAddress } from '../entity-id.js';
import type { FederationReason } from '../federation-failure.js';
import { anEntity, type Changes, NOW, signAs, type TestEntity } from '../testing/test-entity.js';
import { aFederation, subordinateAddress } from '../testing/test-federation.js';

const TYPE = 'https://marks.example/certified';
const OWNED = 'https://owner.example/owned';

/** A federation with a mark issuer, an owner who delegates, and a relying party below the anchor. */
function createMarkFixture() {
  const federation = aFederation();
  const owner = anEntity('https://owner.example');
  const anchor = federation.entity('anchor.example');
  const issuer = federation.entity('marks.example', [anchor]);
  const outsider = anEntity('https://evil.example');
  federation.publish(anchor, {
    metadata: { federation_entity: { federation_fetch_endpoint: `${anchor.id}/fetch` } },
    trust_mark_issuers: { [TYPE]: [issuer.id], [OWNED]: [], open: [] },
    trust_mark_owners: { [OWNED]: { sub: owner.id, jwks: owner.jwks } },
  });
  const leafId = 'https://rp.example';
  const claims = (changes: Changes) => ({
    iss: issuer.id,
    sub: leafId,
    trust_mark_type: TYPE,
    iat: NOW,
    ...changes,
  });
  const sign = (by: TestEntity, typ: string, given: Changes, header: JsonObject) =>
    signAs(by, JSON.parse(JSON.stringify(given)), { typ, ...header });
  return {
    ...federation,
    anchor,
    issuer,
    owner,
    outsider,
    mark: (changes: Changes = {}, header: JsonObject = {}, by: TestEntity = issuer) =>
      sign(by, 'trust-mark+jwt', claims(changes), header),
    delegation: (changes: Changes = {}, header: JsonObject = {}, by: TestEntity = owner) =>
      sign(
        by,
        'trust-mark-delegation+jwt',
        { iss: owner.id, sub: issuer.id, trust_mark_type: OWNED, iat: NOW, ...changes },
        header,
      ),
    /** The result for a relying party with one mark under a rule that requires a mark of that type. */
    evaluate: async (mark: string, type = TYPE, rules: Partial<TrustRules> = {}) => {
      const { token } = federation.relyingParty([anchor], {
        trust_marks: [{ trust_mark_type: type, trust_mark: mark }],
      });
      const resolution = await federation.resolve(token, { rules: { requiredMarks: [[type]], ...rules } });
      const [path] = resolution.paths;
      return { resolution, path, trusted: resolution.chosen !== undefined, report: path?.trustMarks?.[0] };
    },
  };
}

describe('a registration that requires a trust mark', () => {
  it('succeeds with a mark of an issuer that the anchor permits, and ends with the mark', async () => {
    const { mark, evaluate, issuer } = createMarkFixture();
    const { trusted, resolution, report } = await evaluate(mark({ exp: NOW + 60 }));
    expect(trusted).toBe(true);
    expect(resolution.expiresAt).toBe(NOW + 60);
    expect(report).toStrictEqual({ type: TYPE, accepted: true, issuer: issuer.id, expiresAt: NOW + 60 });
    const lasting = await evaluate(mark());
    expect(lasting.resolution.expiresAt).toBe(lasting.resolution.chosen?.expiresAt);
    expect(lasting.report).toStrictEqual({ type: TYPE, accepted: true, issuer: issuer.id });
  });

  it('is refused with a mark that has one defect', async () => {
    const fixture = createMarkFixture();
    const { mark, evaluate, outsider, anchor } = fixture;
    const rows: readonly (readonly [title: string, mark: string, FederationReason])[] = [
      ['for another entity', mark({ sub: outsider.id }), 'unexpected_statement'],
      ['expired', mark({ exp: NOW }), 'expired'],
      ['issued in the future', mark({ iat: NOW + 31 }), 'issued_in_future'],
      ['signed with another key', mark({}, { kid: fixture.issuer.kid }, outsider), 'signature'],
      ['signed by the anchor', mark({}, {}, anchor), 'key_id'],
      ['by an issuer not trusted with the type', mark({ iss: anchor.id }, {}, anchor), 'trust_mark'],
      ['by an outsider', mark({ iss: outsider.id }, {}, outsider), 'trust_mark'],
      ['of another kind', mark({}, { typ: 'entity-statement+jwt' }), 'wrong_type'],
      ['without kind', mark({}, { typ: null }), 'wrong_type'],
      ['unsigned', mark({}, { alg: 'none' }), 'algorithm'],
      ['without key id', mark({}, { kid: null }), 'key_id'],
      ['with an empty key id', mark({}, { kid: '' }), 'key_id'],
      ['without iat', mark({ iat: undefined }), 'claims'],
      ['with an ill-typed exp', mark({ exp: 'never' }), 'claims'],
      ['delegated for a type without owner', mark({ delegation: fixture.delegation() }), 'trust_mark'],
      ['without an issuer', mark({ iss: undefined }), 'claims'],
      ['without a subject', mark({ sub: undefined }), 'claims'],
    ];
    for (const [title, token, reason] of rows) {
      const { trusted, path, report } = await evaluate(token);
      expect([trusted, path?.reason, report?.accepted, report?.reason], title).toEqual([
        false,
        'trust_mark',
        false,
        reason,
      ]);
    }
  });

  it('is refused if the issuer or the owner of the mark is on the deny list', async () => {
    const { mark, delegation, evaluate, issuer, owner, outsider } = createMarkFixture();
    const owned = mark({ trust_mark_type: OWNED, delegation: delegation() });
    const reasons = async (denied: TestEntity) => {
      const rules = { denied: new Set([denied.id]) };
      const reports = [await evaluate(mark(), TYPE, rules), await evaluate(owned, OWNED, rules)];
      return reports.map(({ trusted, report }) => (trusted ? 'trusted' : report?.reason));
    };
    expect(await reasons(outsider)).toEqual(['trusted', 'trusted']);
    expect(await reasons(issuer)).toEqual(['denied', 'denied']);
    expect(await reasons(owner)).toEqual(['trusted', 'denied']);
  });

  it('is refused before any fetch if the statement does not contain the mark', async () => {
    const { relyingParty, resolve, anchor, fetched } = createMarkFixture();
    const { token } = relyingParty([anchor]);
    const { chosen, paths } = await resolve(token, { rules: { requiredMarks: [[TYPE]] } });
    expect([chosen, paths[0]?.reason, fetched]).toEqual([undefined, 'trust_mark', []]);
  });

  it('is refused for a mark without a key id before any keys are fetched', async () => {
    const { mark, evaluate } = createMarkFixture();
    for (const kid of ['', null])
      expect((await evaluate(mark({}, { kid }))).report).toMatchObject({ detail: 'kid is missing' });
  });

  it('ignores marks that are not required', async () => {
    const { mark, relyingParty, resolve, anchor } = createMarkFixture();
    const stated = (type: string) => ({
      trust_mark_type: type,
      trust_mark: mark({ trust_mark_type: type }),
    });
    const { token } = relyingParty([anchor], { trust_marks: [stated('other'), stated(TYPE)] });
    const { paths } = await resolve(token, { rules: { requiredMarks: [[TYPE]] } });
    expect(paths[0]?.trustMarks?.map(({ type }) => type)).toEqual([TYPE]);
  });

  it('requires one mark of every group', async () => {
    const { mark, evaluate } = createMarkFixture();
    expect((await evaluate(mark(), TYPE, { requiredMarks: [['other', TYPE]] })).trusted).toBe(true);
    expect((await evaluate(mark(), TYPE, { requiredMarks: [[TYPE], ['other']] })).trusted).toBe(false);
    expect((await evaluate(mark({ exp: NOW }), TYPE, { requiredMarks: [] })).trusted).toBe(true);
  });

  it('accepts a type that any entity may issue from every member of the federation', async () => {
    const { mark, evaluate, outsider, anchor } = createMarkFixture();
    expect((await evaluate(mark({ trust_mark_type: 'open' }), 'open')).trusted).toBe(true);
    expect(
      (await evaluate(mark({ trust_mark_type: 'open', iss: anchor.id }, {}, anchor), 'open')).trusted,
    ).toBe(true);
    const unknown = await evaluate(mark({ trust_mark_type: 'open', iss: outsider.id }, {}, outsider), 'open');
    expect([unknown.trusted, unknown.report?.reason]).toEqual([false, 'unresolvable']);
    const unlisted = await evaluate(mark({ trust_mark_type: 'unlisted' }), 'unlisted');
    expect([unlisted.trusted, unlisted.report?.reason]).toEqual([false, 'trust_mark']);
  });

  it('accepts nothing from an issuer without a chain, or with an invalid configuration', async () => {
    const { mark, evaluate, outsider, anchor, issuer, publish, served, fetched, entity } =
      createMarkFixture();
    const open = (by: TestEntity) => mark({ trust_mark_type: 'open', iss: by.id }, {}, by);
    const reasonOf = async (by: TestEntity) => (await evaluate(open(by), 'open')).report?.reason;
    publish(outsider, { authority_hints: ['https://dead.example'] });
    expect(await reasonOf(outsider)).toBe('unresolvable');
    served.set(configurationAddress(outsider.id), 'not a statement');
    expect(await reasonOf(outsider)).toBe('unresolvable');
    const org = entity('org.example', [anchor]);
    publish(issuer, { authority_hints: [anchor.id, org.id] });
    fetched.length = 0;
    expect(await reasonOf(issuer)).toBeUndefined();
    expect(fetched).not.toContain(subordinateAddress(anchor, org));
    served.set(configurationAddress(outsider.id), () => Promise.reject(new RangeError('a mistake of ours')));
    await expect(evaluate(open(outsider), 'open')).rejects.toThrow(RangeError);
  });

  it('accepts a self-issued mark if any entity may issue its type', async () => {
    const { join, resolve, anchor, fetched } = createMarkFixture();
    const leaf = anEntity('https://rp.example');
    const evaluate = async (type: string) => {
      const claims = { iss: leaf.id, sub: leaf.id, trust_mark_type: type, iat: NOW };
      const mark = signAs(leaf, claims, { typ: 'trust-mark+jwt' });
      const marks = [{ trust_mark_type: type, trust_mark: mark }];
      const token = join(leaf, [anchor], { metadata: { openid_relying_party: {} }, trust_marks: marks });
      return (await resolve(token, { rules: { requiredMarks: [[type]] } })).chosen !== undefined;
    };
    expect([await evaluate('open'), await evaluate(TYPE)]).toEqual([true, false]);
    expect(fetched.filter((address) => address.startsWith(`${leaf.id}/`))).toEqual([]);
  });
});

describe('a trust mark of a type that has an owner', () => {
  const owned = { trust_mark_type: OWNED };

  it('is accepted with the delegation of the owner, and ends with it', async () => {
    const { mark, delegation, evaluate } = createMarkFixture();
    const { trusted, resolution } = await evaluate(
      mark({ ...owned, delegation: delegation({ exp: NOW + 30 }), exp: NOW + 60 }),
      OWNED,
    );
    expect([trusted, resolution.expiresAt]).toEqual([true, NOW + 30]);
    const short = mark({ ...owned, delegation: delegation({ exp: NOW + 30 }), exp: NOW + 20 });
    expect((await evaluate(short, OWNED)).resolution.expiresAt).toBe(NOW + 20);
    const endless = mark({ ...owned, delegation: delegation({ exp: NOW + 30 }) });
    expect((await evaluate(endless, OWNED)).resolution.expiresAt).toBe(NOW + 30);
    const lasting = await evaluate(mark({ ...owned, delegation: delegation(), exp: NOW + 60 }), OWNED);
    expect(lasting.resolution.expiresAt).toBe(NOW + 60);
  });

  it('is refused with a delegation that has one defect', async () => {
    const fixture = createMarkFixture();
    const { mark, delegation, evaluate, outsider, owner } = fixture;
    const rows: readonly (readonly [title: string, delegation: Changes[string], FederationReason])[] = [
      ['missing', undefined, 'trust_mark'],
      ['no text', 1, 'claims'],
      ['no token', 'delegation', 'malformed_statement'],
      ['by another owner', delegation({ iss: outsider.id }), 'trust_mark'],
      ['for another issuer', delegation({ sub: outsider.id }), 'trust_mark'],
      ['for another type', delegation({ trust_mark_type: TYPE }), 'trust_mark'],
      ['without a type', delegation({ trust_mark_type: undefined }), 'claims'],
      ['signed with another key', delegation({}, { kid: owner.kid }, outsider), 'signature'],
      ['signed by the issuer', delegation({}, {}, fixture.issuer), 'key_id'],
      ['expired', delegation({ exp: NOW }), 'expired'],
      ['issued in the future', delegation({ iat: NOW + 31 }), 'issued_in_future'],
      ['of another kind', delegation({}, { typ: 'trust-mark+jwt' }), 'wrong_type'],
    ];
    for (const [title, token, reason] of rows) {
      const { trusted, report } = await evaluate(mark({ ...owned, delegation: token }), OWNED);
      expect([trusted, report?.reason], title).toEqual([false, reason]);
    }
  });
});
