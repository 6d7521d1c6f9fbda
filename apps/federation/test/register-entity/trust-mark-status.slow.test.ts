import { nowSeconds } from '@vestibule/protocol';
import { JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { Environment } from '@vestibule/service/settings';
import {
  createEntityKey,
  type FederationEntity,
  type ResponseFault,
  type StatementChanges,
} from '@vestibule/testkit/federation';
import { describe, expect, it } from 'vitest';
import { ISSUER, MASTER, send, startFederation } from '../support/test-federation.js';

const PATH = '/status';
const UNEXPIRING = { claims: { exp: undefined } };

interface StatusResponse {
  readonly status?: string;
  readonly typ?: string;
  readonly contentType?: string;
  readonly fault?: ResponseFault;
  readonly changes?: StatementChanges;
}

/** A service that requires a trust mark whose issuer publishes a status endpoint. */
async function createTrustMarkFixture(settings: Environment = {}) {
  const fixture = await startFederation({
    settings: ({ markType }) => ({ FEDERATION_REQUIRED_TRUST_MARKS: markType, ...settings }),
  });
  const { markIssuer, clock } = fixture;
  const bodies: string[] = [];
  Object.assign(markIssuer.metadata['federation_entity'] ?? {}, {
    federation_trust_mark_status_endpoint: `${markIssuer.id}${PATH}`,
  });
  const responses = ({ status = 'active', typ, contentType, fault, changes }: StatusResponse = {}) =>
    markIssuer.documents.set(PATH, {
      contentType: contentType ?? MEDIA_TYPE.trustMarkStatusResponseJwt,
      text: (body) => {
        bodies.push(body);
        const mark = new URLSearchParams(body).get('trust_mark') ?? '';
        const claims = { iss: markIssuer.id, iat: nowSeconds(clock), trust_mark: mark, status };
        return markIssuer.signOther(typ ?? JWT_TYP.trustMarkStatusResponse, claims, changes);
      },
      ...(fault !== undefined && { fault }),
    });
  responses();
  const marked = async (changes?: StatementChanges) => {
    const member = await fixture.relyingParty();
    await fixture.mark(member, changes);
    return member;
  };
  const registers = async (member: FederationEntity) =>
    (await fixture.register(await fixture.registrationRequest(member, ISSUER))).status;
  return { ...fixture, bodies, responses, marked, registers };
}

type MarkedWorld = Awaited<ReturnType<typeof createTrustMarkFixture>>;

async function explainedMark({ app }: MarkedWorld, { id }: FederationEntity) {
  const url = `/federation/explain?sub=${encodeURIComponent(id)}`;
  const response = await send(app, { url, headers: { authorization: `Bearer ${MASTER}` } });
  const { trusted, reason, paths } = JSON.parse(response.body);
  return { trusted, reason, mark: paths[0]?.trustMarks?.[0] };
}

describe('a required trust mark', () => {
  it('counts when its issuer confirms over HTTP POST that it is active', async () => {
    const fixture = await createTrustMarkFixture();
    const member = await fixture.marked(UNEXPIRING);
    expect(await fixture.registers(member)).toBe(200);
    const [mark] = member.marks;
    expect(fixture.bodies).toEqual([`trust_mark=${mark?.trust_mark}`]);
  });

  it('is refused if its issuer responds otherwise, and the explanation gives the reason', async () => {
    const fixture = await createTrustMarkFixture();
    const member = await fixture.marked(UNEXPIRING);
    const foreign = await createEntityKey();
    const other = await fixture.marked(UNEXPIRING);
    const rows: readonly (readonly [title: string, response: StatusResponse, reason: string])[] = [
      ['revoked', { status: 'revoked' }, 'trust_mark_status'],
      ['expired', { status: 'expired' }, 'trust_mark_status'],
      ['in capitals', { status: 'ACTIVE' }, 'trust_mark_status'],
      ['no status', { changes: { claims: { status: undefined } } }, 'claims'],
      ['no time', { changes: { claims: { iat: undefined } } }, 'claims'],
      ['of the future', { changes: { claims: { iat: nowSeconds(fixture.clock) + 31 } } }, 'issued_in_future'],
      ['past its exp', { changes: { claims: { exp: nowSeconds(fixture.clock) } } }, 'expired'],
      [
        'about another mark',
        { changes: { claims: { trust_mark: other.marks[0]?.trust_mark } } },
        'unexpected_statement',
      ],
      ['by another issuer', { changes: { claims: { iss: fixture.anchor.id } } }, 'unexpected_statement'],
      ['signed with a key of another entity', { changes: { key: foreign } }, 'signature'],
      ['without kid', { changes: { header: { kid: undefined } } }, 'key_id'],
      ['of another type', { typ: JWT_TYP.trustMark }, 'wrong_type'],
      ['of another media type', { contentType: MEDIA_TYPE.json }, 'trust_mark_unconfirmed'],
      ['404: not aware of the mark', { fault: 'not_found' }, 'trust_mark_unconfirmed'],
      ['500', { fault: 'server_error' }, 'trust_mark_unconfirmed'],
      ['a connection that is cut', { fault: 'cut' }, 'trust_mark_unconfirmed'],
    ];
    for (const [title, response, reason] of rows) {
      fixture.responses(response);
      expect(await explainedMark(fixture, member), title).toMatchObject({
        trusted: false,
        mark: { accepted: false, reason, detail: expect.stringMatching(/^\S+ \S+ \S+/) },
      });
      expect(await fixture.registers(member), title).toBe(401);
    }
    fixture.responses();
    expect(await fixture.registers(member)).toBe(200);
  });

  it('counts without a request if its issuer publishes no status endpoint, and not if the endpoint is malformed', async () => {
    const fixture = await createTrustMarkFixture();
    const member = await fixture.marked(UNEXPIRING);
    const { metadata } = fixture.markIssuer;
    const { federation_trust_mark_status_endpoint: _endpoint, ...others } =
      metadata['federation_entity'] ?? {};
    const unreadable = 'http://marks.example/status';
    metadata['federation_entity'] = { ...others, federation_trust_mark_status_endpoint: unreadable };
    expect(await explainedMark(fixture, member)).toMatchObject({
      trusted: false,
      mark: { reason: 'trust_mark_status' },
    });
    metadata['federation_entity'] = others;
    expect(await fixture.registers(member)).toBe(200);
    expect(fixture.bodies).toEqual([]);
  });

  it('is confirmed by the endpoint in the issuer configuration, whatever the metadata of a superior', async () => {
    const fixture = await createTrustMarkFixture();
    const { anchor, markIssuer } = fixture;
    const elsewhere = { federation_trust_mark_status_endpoint: `${anchor.id}/elsewhere` };
    anchor.vouchFor(markIssuer, { metadata: { federation_entity: elsewhere } });
    expect(await fixture.registers(await fixture.marked(UNEXPIRING))).toBe(200);
    expect(anchor.requestedPaths).not.toContain('/elsewhere');
    expect(fixture.bodies).toHaveLength(1);
  });

  it('is confirmed by an issuer whose configuration a given chain does not contain', async () => {
    const fixture = await createTrustMarkFixture();
    const { anchor, intermediates, markType } = fixture;
    const [superior] = intermediates;
    anchor.claims['trust_mark_issuers'] = { [markType]: [superior.id] };
    Object.assign(superior.metadata['federation_entity'] ?? {}, {
      federation_trust_mark_status_endpoint: `${superior.id}${PATH}`,
    });
    let status = 'revoked';
    superior.documents.set(PATH, {
      contentType: MEDIA_TYPE.trustMarkStatusResponseJwt,
      text: (body) => {
        const mark = new URLSearchParams(body).get('trust_mark') ?? '';
        const claims = { iss: superior.id, iat: nowSeconds(fixture.clock), trust_mark: mark, status };
        return superior.signOther(JWT_TYP.trustMarkStatusResponse, claims);
      },
    });
    const member = await fixture.relyingParty();
    const claims = { sub: member.id, trust_mark_type: markType };
    const mark = await superior.signMark('mark', claims, UNEXPIRING);
    member.marks.push({ trust_mark_type: markType, trust_mark: mark });
    const registers = async () => {
      const chain = [
        await fixture.registrationRequest(member, ISSUER),
        await superior.signSubordinate(member.id),
        await anchor.signSubordinate(superior.id),
        await anchor.signConfiguration(),
      ];
      return (await fixture.register(JSON.stringify(chain), MEDIA_TYPE.trustChainJson)).status;
    };
    expect(await registers()).toBe(401);
    status = 'active';
    expect(await registers()).toBe(200);
  });
});

describe('the status response of an issuer', () => {
  it('is required for a mark with exp too, which can be revoked before', async () => {
    const fixture = await createTrustMarkFixture();
    const member = await fixture.marked();
    for (const [response, reason] of [
      [{ status: 'revoked' }, 'trust_mark_status'],
      [{ fault: 'server_error' }, 'trust_mark_unconfirmed'],
    ] as const) {
      fixture.responses(response);
      expect(await explainedMark(fixture, member)).toMatchObject({
        trusted: false,
        reason,
        mark: { reason },
      });
      expect(await fixture.registers(member)).toBe(401);
    }
    fixture.responses();
    expect(await fixture.registers(member)).toBe(200);
    expect(fixture.bodies).toHaveLength(5);
  });

  it('is not requested for marks that are not required', async () => {
    const fixture = await createTrustMarkFixture({ FEDERATION_REQUIRED_TRUST_MARKS: '' });
    fixture.responses({ status: 'revoked' });
    expect(await fixture.registers(await fixture.marked())).toBe(200);
    expect(fixture.bodies).toEqual([]);
  });

  it('is cached for a minute or until a purge if the mark is active, and never otherwise', async () => {
    const fixture = await createTrustMarkFixture({ FEDERATION_CACHE_SECONDS: '300' });
    const { clock, bodies, store } = fixture;
    const member = await fixture.marked(UNEXPIRING);
    const explainAndCount = async () => {
      bodies.length = 0;
      const { trusted } = await explainedMark(fixture, member);
      return { trusted, requests: bodies.length };
    };
    fixture.responses({ status: 'revoked' });
    for (let i = 0; i < 2; i += 1) expect(await explainAndCount()).toEqual({ trusted: false, requests: 1 });
    fixture.responses();
    expect(await explainAndCount()).toEqual({ trusted: true, requests: 1 });
    fixture.responses({ status: 'revoked' });
    clock.advanceSeconds(59);
    expect(await explainAndCount()).toEqual({ trusted: true, requests: 0 });
    clock.advanceSeconds(1);
    expect(await explainAndCount()).toEqual({ trusted: false, requests: 1 });
    fixture.responses();
    expect(await explainAndCount()).toEqual({ trusted: true, requests: 1 });
    fixture.responses({ status: 'revoked' });
    await store.database.federation.purgeStatements({ actor: 'operator:jane', now: nowSeconds(clock) });
    expect(await explainAndCount()).toEqual({ trusted: false, requests: 1 });
  });
});
