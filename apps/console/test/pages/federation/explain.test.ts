import { expect, it } from 'vitest';
import { buildTestConsole } from '../../support/build-test-console.js';
import { aFederatedConsole, textOf } from './federation-fixture.js';

const EXPLAIN = '/federation/explain';

it('draws the chains of an entity, with checks, policies side by side, and what would be registered', async () => {
  const { post, store, federation } = await aFederatedConsole();
  const { anchor, intermediates } = federation;
  const member = await federation.relyingParty();
  anchor.vouchFor(intermediates[0], {
    metadata_policy: { openid_relying_party: { client_name: { value: 'Named by the anchor' } } },
    constraints: { max_path_length: 3 },
  });
  const { status, text } = await post(EXPLAIN, { entity: member.id }, 'viewer');
  expect(status).toBe(200);
  const shown = textOf(text);
  for (const part of [
    `Chain${member.id} → ${intermediates[0].id} → ${anchor.id}`,
    'Trusted by this path',
    'passed: is signed by its issuer',
    '{"max_path_length":3}',
    'Small relying party',
    `${anchor.id}: "Named by the anchor"`,
    'client_name"Named by the anchor"',
  ])
    expect(shown).toContain(part);
  // The superiors are nested lists, so that their order is in the structure and not only in the drawing.
  const tree = text.slice(text.indexOf('<ul class="tree">'));
  expect([member, intermediates[0], anchor].map(({ id }) => tree.indexOf(id))).toEqual(
    [member, intermediates[0], anchor]
      .map(({ id }) => tree.indexOf(id))
      .toSorted((one, other) => one - other),
  );
  const { clients } = await store.database.clients.page({}, 1);
  expect(clients).toEqual([]);
});

it('says why an entity is not trusted, and what could not be fetched', async () => {
  const { post, federation } = await aFederatedConsole();
  const [first, second] = federation.intermediates;
  const member = await federation.relyingParty();
  second.vouchFor(member);
  first.behaviour.subordinates.set(member.id, { spoil: (token) => `${token.slice(0, -4)}AAAA` });
  second.behaviour.fetchFault = 'not_found';
  const shown = textOf((await post(EXPLAIN, { entity: member.id })).text);
  expect(shown).toContain('Resultnot trusted');
  expect(shown).toContain('Failed checks: signature');
  expect(shown).toContain('What could not be fetched');
  expect(shown).toContain(
    `The statement of ${second.id} about ${member.id}: a statement could not be fetched`,
  );
});

it('names the address of an entity that does not respond', async () => {
  const { post, federation } = await aFederatedConsole();
  const member = await federation.relyingParty();
  member.behaviour.configurationFault = 'server_error';
  const { status, text } = await post(EXPLAIN, { entity: member.id });
  expect(status).toBe(200);
  expect(textOf(text)).toContain(`The entity configuration at ${member.id}/.well-known/openid-federation.`);
});

it('shows the trust marks that a registration requires', async () => {
  const { federation: open } = await aFederatedConsole();
  const settings = { FEDERATION_REQUIRED_TRUST_MARKS: open.markType };
  const { post, federation } = await aFederatedConsole(settings);
  const member = await federation.relyingParty();
  const refused = textOf((await post(EXPLAIN, { entity: member.id })).text);
  expect(refused).toContain('not trusted');
  expect(refused).toContain('trust_mark');
});

it('shows the form again with what is wrong beside the field, and keeps what was typed', async () => {
  const { post } = await aFederatedConsole();
  for (const entity of [
    'x',
    'http://plain.example',
    'https://rp.example/?q',
    '"><script>alert(1)</script>',
  ]) {
    const { status, text } = await post(EXPLAIN, { entity });
    expect(status, entity).toBe(400);
    expect(text).toContain('id="entity-error" role="alert">This is not an entity identifier');
    expect(text).not.toContain('<script>alert');
    expect(textOf(text.replace(/.*id="entity" name="entity" value="([^"]*)".*/s, '$1'))).toBe(entity);
  }
  const { status, text } = await post(EXPLAIN, { entity: 'https://rp.example', profile: 'other' });
  expect(status).toBe(400);
  expect(text).toContain('id="profile-error"');
});

it('shows hostile statements as text, within bounds', async () => {
  const { post, federation } = await aFederatedConsole();
  const { anchor, intermediates } = federation;
  const name = `\u202e<img src=x onerror=alert(1)>\n${'long '.repeat(2_000)}`;
  const member = await federation.relyingParty({ metadata: { client_name: name } });
  anchor.vouchFor(intermediates[0], {
    metadata_policy: {
      openid_relying_party: {
        ...Object.fromEntries(
          Array.from({ length: 500 }, (_, index) => [
            `<b>p${index}`,
            { default: `</code>${'x'.repeat(50)}` },
          ]),
        ),
      },
    },
  });
  const { status, text } = await post(EXPLAIN, { entity: member.id });
  expect(status).toBe(200);
  expect(text).not.toContain('<img');
  expect(text).not.toContain('<b>');
  expect(text).not.toContain('\u202e');
  expect(text.length).toBeLessThan(200_000);
});

it('asks for nothing on behalf of a link elsewhere: an explanation needs the form of this session', async () => {
  const { app, cookieOf, federation } = await aFederatedConsole();
  const member = await federation.relyingParty();
  const cookie = await cookieOf('viewer');
  const url = `${EXPLAIN}?${new URLSearchParams({ entity: member.id })}`;
  expect((await app.inject({ method: 'GET', url, headers: { cookie } })).statusCode).toBe(405);
  const forged = await app.inject({
    method: 'POST',
    url: EXPLAIN,
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ entity: member.id, form_token: 'guessed' }).toString(),
  });
  expect(forged.statusCode).toBe(403);
  expect(member.requestedPaths).toEqual([]);
});

it('says which setting enables federation', async () => {
  const { get, post } = await buildTestConsole();
  const page = await get('/federation');
  expect(page.status).toBe(200);
  expect(textOf(page.text)).toContain('Set FEDERATION_ENABLED to true');
  expect(page.text).not.toContain('action="/federation/explain"');
  const action = await post(EXPLAIN, { entity: 'https://rp.example' });
  expect(action.status).toBe(409);
  expect(textOf(action.text)).toContain('Set FEDERATION_ENABLED to true');
});
