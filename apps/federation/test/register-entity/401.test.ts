import { JSON_HEADERS, type Seen } from '@vestibule/http/testing';
import { createEntityKey, type FederationEntity, type ResponseFault } from '@vestibule/testkit/federation';
import { expect, it } from 'vitest';
import { ISSUER, openTestStore, startFederation, type TestFederation } from '../support/test-federation.js';

/** The response for every entity that cannot be trusted. */
const UNTRUSTED: Seen = {
  status: 401,
  headers: JSON_HEADERS,
  body: '{"error":"unauthorized_client","error_description":"The entity cannot be trusted."}',
};

/** The federation without its own way to register. */
type Fixture = Omit<TestFederation, 'attempt'>;

type Spoil = (fixture: Fixture, member: FederationEntity) => unknown;

const now = ({ clock }: Fixture) => Math.floor(clock.nowMs() / 1000);

/** One defect each in an otherwise trusted chain. The returned value changes the request. */
const DEFECTS: Readonly<Record<string, Spoil>> = {
  'a request signed with another key': async () => ({ key: await createEntityKey() }),
  'a request of a key that is not in it': () => ({ header: { kid: 'unknown' } }),
  'an expired request': (fixture) => ({ claims: { exp: now(fixture) } }),
  'a request from the future': (fixture) => ({ claims: { iat: now(fixture) + 31 } }),
  'keys that the superior does not know': async ({ intermediates }, member) => {
    intermediates[0].vouchFor(member, { jwks: { keys: [(await createEntityKey()).publicJwk] } });
  },
  'a superior that does not know the entity': async ({ intermediates, newEntity }, member) => {
    member.hints.splice(0, 1, intermediates[1].id);
    await newEntity();
  },
  'a superior that leads to no anchor': async ({ newEntity }, member) => {
    const other = await newEntity();
    member.hints.splice(0);
    other.vouchFor(member);
  },
  'an anchor with keys of its own making': async ({ anchor }) => {
    anchor.behaviour.configuration = { key: await createEntityKey() };
  },
  'a statement by the wrong key': async ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { key: await createEntityKey() });
  },
  'a statement signed by its subject': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { key: member.key });
  },
  'a statement about another entity': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { claims: { sub: 'https://other.example' } });
  },
  'a statement by another entity': ({ intermediates, behaves, anchor }, member) => {
    behaves(intermediates[0], member.id, { claims: { iss: anchor.id } });
  },
  'an expired statement': (fixture, member) => {
    fixture.behaves(fixture.intermediates[0], member.id, { claims: { exp: now(fixture) } });
  },
  'a statement from the future': (fixture, member) => {
    fixture.behaves(fixture.intermediates[0], member.id, { claims: { iat: now(fixture) + 31 } });
  },
  'a statement of another type': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { header: { typ: 'JWT' } });
  },
  'a statement without algorithm': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { header: { alg: 'none' } });
  },
  'a statement without kid': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { header: { kid: undefined } });
  },
  'a statement with a critical claim': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { claims: { crit: ['x'], x: 1 } });
  },
  'a critical operator': ({ intermediates, behaves }, member) => {
    behaves(intermediates[0], member.id, { claims: { metadata_policy_crit: ['regexp'] } });
  },
  'an expired intermediate': (fixture) => {
    fixture.behaves(fixture.anchor, fixture.intermediates[0].id, { claims: { exp: now(fixture) - 1 } });
  },
  'an intermediate whose superior denies it': ({ anchor, behaves, intermediates }) => {
    behaves(anchor, intermediates[0].id, { spoil: () => '' });
  },
  'an intermediate without fetch endpoint': ({ intermediates }) => {
    intermediates[0].metadata['federation_entity'] = {};
  },
  'a path that is too long by the anchor': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], { constraints: { max_path_length: 0 } });
  },
  'a name that is excluded': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], { constraints: { naming_constraints: { excluded: ['127.0.0.1'] } } });
  },
  'an entity type that is not allowed': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], { constraints: { allowed_entity_types: ['openid_provider'] } });
  },
  'constraints that are none': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], { constraints: 'x' });
  },
  'policies that cannot be merged': ({ anchor, intermediates }, member) => {
    anchor.vouchFor(intermediates[0], policy({ client_name: { value: 'A' } }));
    intermediates[0].vouchFor(member, policy({ client_name: { value: 'B' } }));
  },
  'metadata that does not comply': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], policy({ client_name: { one_of: ['Other'] } }));
  },
  'an essential member that is missing': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], policy({ tos_uri: { essential: true } }));
  },
  'operators that must not stand together': ({ anchor, intermediates }) => {
    anchor.vouchFor(intermediates[0], policy({ contacts: { add: ['a'], one_of: ['a'] } }));
  },
};

function policy(openid_relying_party: Record<string, Record<string, string | boolean | string[]>>) {
  return { metadata_policy: { openid_relying_party } };
}

it('refuses chains with one defect each, and accepts the one without', async () => {
  const testStore = await openTestStore();
  const fixture = await startFederation({ testStore });
  expect(await fixture.attempt(() => undefined)).toMatchObject({ status: 200 });
  expect(Object.keys(DEFECTS)).toHaveLength(30);
  for (const [name, spoil] of Object.entries(DEFECTS)) {
    const own = await startFederation({ testStore });
    expect(await own.attempt(spoil), name).toEqual(UNTRUSTED);
  }
  expect(await fixture.clients()).toHaveLength(1);
});

it('gives the same response however a fetch fails', async () => {
  const faults: readonly ResponseFault[] = [
    ...(['not_found', 'server_error', 'redirect', 'huge', 'media_type'] as const),
    ...(['web_page', 'compressed', 'cut', 'empty', 'hang', 'drip'] as const),
  ];
  const fixture = await startFederation();
  const member = await fixture.relyingParty();
  const request = await fixture.registrationRequest(member, ISSUER);
  const [superior] = fixture.intermediates;
  const responses = faults.map(async (fault) => {
    superior.behaviour.configurationFault = fault;
    return fixture.register(request);
  });
  for (const response of await Promise.all(responses)) expect(response).toEqual(UNTRUSTED);
  await superior.close();
  expect(await fixture.register(request)).toEqual(UNTRUSTED);
});

it('ends at a cycle, and finds a valid path beside a cycle', async () => {
  const fixture = await startFederation();
  const { intermediates } = fixture;
  intermediates[0].vouchFor(intermediates[1]);
  intermediates[1].vouchFor(intermediates[0]);
  expect(await fixture.attempt(() => undefined)).toMatchObject({ status: 200 });
  for (const entity of intermediates) entity.hints.splice(entity.hints.indexOf(fixture.anchor.id), 1);
  expect(await fixture.attempt(() => undefined)).toEqual(UNTRUSTED);
});

it('accepts no statement twice, and none that is older than the registered one', async () => {
  const fixture = await startFederation();
  for (const [audience, type] of [
    [ISSUER, 'application/entity-statement+jwt'],
    [undefined, 'application/jose'],
  ] as const) {
    const member = await fixture.relyingParty();
    const request = (iat: number) => fixture.registrationRequest(member, audience, { claims: { iat } });
    const [old, own] = [await request(now(fixture) - 1), await request(now(fixture))];
    expect(await fixture.register(own, type)).toMatchObject({ status: 200 });
    const before = member.requestedPaths.length;
    const registered = (await fixture.clients()).filter(
      ({ federation }) => federation?.entityId === member.id,
    );
    expect([await fixture.register(old, type), await fixture.register(own, type)]).toEqual([
      UNTRUSTED,
      UNTRUSTED,
    ]);
    expect(member.requestedPaths).toHaveLength(before);
    expect(await fixture.clients()).toEqual(expect.arrayContaining(registered));
  }
});

it('refuses a given chain to an unknown anchor, and fetches nothing', async () => {
  const fixture = await startFederation();
  const [own, superior] = [await fixture.newEntity(), await fixture.newEntity()];
  own.vouchFor(superior);
  const member = await fixture.relyingParty({ superior });
  const chain = [
    await fixture.registrationRequest(member, ISSUER),
    await superior.signSubordinate(member.id),
    await own.signSubordinate(superior.id),
    await own.signConfiguration(),
  ];
  expect(await fixture.register(JSON.stringify(chain), 'application/trust-chain+json')).toEqual(UNTRUSTED);
  expect([own, superior, member].flatMap(({ requestedPaths: requested }) => requested)).toEqual([]);
});
