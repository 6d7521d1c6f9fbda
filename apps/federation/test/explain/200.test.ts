import { JSON_HEADERS, NO_STORE, type Seen } from '@vestibule/http/testing';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import type { FederationEntity } from '@vestibule/testkit/federation';
import { describe, expect, it } from 'vitest';
import { ISSUER, MASTER, send, startFederation, type TestFederation } from '../support/test-federation.js';

interface Asking {
  readonly accept?: string;
  readonly token?: string;
}

function explain(
  { app }: Pick<TestFederation, 'app'>,
  sub: string,
  { accept = 'application/json', token = MASTER }: Asking = {},
): Promise<Seen> {
  const url = `/federation/explain?sub=${encodeURIComponent(sub)}`;
  return send(app, { url, headers: { accept, authorization: `Bearer ${token}` } });
}

function dryRun(
  { app }: Pick<TestFederation, 'app'>,
  payload: string,
  { type = 'application/jose', token = MASTER } = {},
): Promise<Seen> {
  const headers = { 'content-type': type, authorization: `Bearer ${token}` };
  return send(app, { method: 'POST', url: '/federation/explain', headers, payload });
}

const withPolicy = (client_name: object) => ({
  metadata_policy: { openid_relying_party: { client_name: { ...client_name } } },
});

describe('an explanation', () => {
  it('shows the chain, every statement with its checks, every step of the policy and what would be registered', async () => {
    const fixture = await startFederation();
    const { anchor, intermediates } = fixture;
    const member = await fixture.relyingParty();
    anchor.vouchFor(intermediates[0], {
      ...withPolicy({ value: 'Named' }),
      constraints: { max_path_length: 2 },
    });
    const response = await explain(fixture, member.id);
    expect(response).toMatchObject({ status: 200, headers: { ...JSON_HEADERS, vary: 'Accept' } });
    const explanation = JSON.parse(response.body);
    expect(explanation).toMatchObject({
      subject: member.id,
      trusted: true,
      chain: [member.id, intermediates[0].id, anchor.id],
      registration: { metadata: { client_name: 'Named', grant_types: ['authorization_code'] } },
    });
    const [path] = explanation.paths;
    expect(path.statements).toHaveLength(4);
    expect(path.statements[1].checks).toContainEqual({ check: 'signature', passed: true });
    expect(path.statements[1]).not.toHaveProperty('policy');
    expect(path.statements[2]).toMatchObject({
      policy: { openid_relying_party: { client_name: { value: 'Named' } } },
      constraints: { max_path_length: 2 },
    });
    expect(path.metadata.steps).toContainEqual(
      expect.objectContaining({ operator: 'value', before: 'Small relying party', after: 'Named' }),
    );
    expect(await fixture.clients()).toEqual([]);
  });

  it('shows for every path why it was refused', async () => {
    const fixture = await startFederation();
    const { anchor, intermediates } = fixture;
    const [first, second] = intermediates;
    const member = await fixture.relyingParty();
    second.vouchFor(member);
    fixture.behaves(first, member.id, { spoil: (token) => `${token.slice(0, -4)}AAAA` });
    anchor.vouchFor(second, { constraints: { max_path_length: 0 } });
    const explanation = JSON.parse((await explain(fixture, member.id)).body);
    expect(explanation.trusted).toBe(false);
    const reasons = explanation.paths.map(({ entities, reason }: { entities: string[]; reason: string }) => [
      entities[1],
      reason,
    ]);
    expect(Object.fromEntries(reasons)).toEqual({ [first.id]: 'signature', [second.id]: 'max_path_length' });
  });

  it('covers what an entity publishes, registered or not, and what a registration would do now', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const request = await fixture.registrationRequest(member, ISSUER);
    expect(await fixture.register(request)).toMatchObject({ status: 200 });
    expect(JSON.parse((await explain(fixture, member.id)).body)).toMatchObject({ trusted: true });
    expect(JSON.parse((await dryRun(fixture, request)).body)).toMatchObject({
      trusted: false,
      reason: 'replayed',
      detail: expect.stringMatching(/^the statement was sent a second time: iat /),
    });
    const iat = Math.floor(fixture.clock.nowMs() / 1000) - 1;
    const older = await fixture.registrationRequest(member, ISSUER, { claims: { iat } });
    expect(JSON.parse((await dryRun(fixture, older)).body)).toMatchObject({
      reason: 'replayed',
      detail: 'the statement is older than the one that the entity is registered by',
    });
  });

  it('shows that an entity is unavailable, and what the rules for client metadata refuse', async () => {
    const fixture = await startFederation();
    expect(JSON.parse((await explain(fixture, 'https://unknown.invalid')).body)).toMatchObject({
      trusted: false,
      reason: 'unresolvable',
      paths: [],
    });
    const member = await fixture.relyingParty({
      metadata: { grant_types: ['password'], response_types: [] },
    });
    expect(JSON.parse((await explain(fixture, member.id)).body)).toMatchObject({
      trusted: true,
      refusal: { error: 'invalid_client_metadata', error_description: expect.stringMatching(/grant types/) },
    });
  });

  it('names the member and the issuer of a statement that is refused for its policy or metadata', async () => {
    const fixture = await startFederation();
    const [superior] = fixture.intermediates;
    const policy = (operators: JsonValue, name = 'client_name') => ({
      metadata_policy: { openid_relying_party: { [name]: operators } },
    });
    const rows: readonly (readonly [claims: JsonObject, detail: string, fault?: 'own'])[] = [
      [policy(null), 'client_name: the policy is not an object'],
      [policy(null, 'a\u202eb'), 'the policy is not an object'],
      [policy({ one_of: 'a' }), 'client_name: the operand of one_of is not of a type that it takes'],
      [policy({ essential: true }, 'logo_uri'), 'logo_uri: an essential parameter is missing', 'own'],
      [
        { metadata: { openid_relying_party: 5 } },
        'openid_relying_party: the metadata of the entity type is not an object',
      ],
    ];
    for (const [claims, detail, fault] of rows) {
      const member = await fixture.relyingParty();
      fixture.behaves(superior, member.id, { claims });
      const failedAt = { issuer: fault === 'own' ? member.id : superior.id, subject: member.id };
      expect(JSON.parse((await explain(fixture, member.id)).body), detail).toMatchObject({
        trusted: false,
        detail,
        paths: [{ detail, failedAt }],
      });
    }
  });

  it('needs the master token, an entity and an enabled federation', async () => {
    const fixture = await startFederation();
    expect(await send(fixture.app, { url: '/federation/explain?sub=https://rp.example' })).toEqual({
      status: 401,
      headers: { ...JSON_HEADERS, 'www-authenticate': 'Bearer' },
      body: '{"error":"missing_token","error_description":"The master token is required."}',
    });
    expect(await explain(fixture, 'https://rp.example', { token: 'other' })).toMatchObject({ status: 401 });
    for (const sub of ['', 'x', 'http://plain.example', 'https://rp.example/?q'])
      expect(await explain(fixture, sub), sub).toMatchObject({ status: 400, headers: JSON_HEADERS });
    const off = await startFederation({ settings: () => ({ FEDERATION_ENABLED: 'false' }) });
    expect(await explain(off, 'https://rp.example')).toMatchObject({
      status: 400,
      body: expect.stringContaining('federation_not_enabled'),
    });
  });
});

describe('the page of an explanation', () => {
  const pageOf = async (fixture: TestFederation, { id }: Pick<FederationEntity, 'id'>) =>
    explain(fixture, id, { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });

  it('shows the paths as a tree, and which one is trusted', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    fixture.intermediates[1].vouchFor(member);
    fixture.anchor.vouchFor(fixture.intermediates[1], { constraints: { max_path_length: 0 } });
    const { status, headers, body } = await pageOf(fixture, member);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      ...NO_STORE,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining(`default-src 'none'`),
      vary: 'Accept',
    });
    expect(body).toContain('Trusted until');
    expect(body.match(/<li>/g)).toHaveLength(5);
    expect(body).toContain('<span class="good">trusted</span>');
    expect(body).toContain('<span class="bad">max_path_length</span>');
  });

  it('shows text of other entities as plain text', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty({ metadata: { client_name: '<script>alert(1)</script>' } });
    fixture.anchor.vouchFor(fixture.intermediates[0], withPolicy({ one_of: ['<img src=x>'] }));
    const { body } = await pageOf(fixture, member);
    expect(body).toContain('policy_violation');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(body).not.toMatch(/<script|<img/);
  });
});

describe('the explanation in a browser', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const url = '/federation/explain/page';
  const submit = ({ app }: Pick<TestFederation, 'app'>, fields: Record<string, string>) =>
    send(app, {
      method: 'POST',
      url,
      headers: { accept, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });

  it('is a form for the master token, to which the address of the explanation redirects', async () => {
    const { app } = await startFederation();
    const query = `?sub=${encodeURIComponent('https://rp.example/"><b>')}&profile=draft`;
    expect(await send(app, { url: `/federation/explain${query}`, headers: { accept } })).toEqual({
      status: 303,
      headers: { ...NO_STORE, location: `explain/page${query}`, vary: 'Accept' },
      body: '',
    });
    const form = await send(app, { url: `${url}${query}`, headers: { accept } });
    expect(form).toMatchObject({
      status: 200,
      headers: {
        ...NO_STORE,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
        ),
      },
    });
    expect(form.body).toContain('<form method="post"');
    expect(form.body).toContain('value="https://rp.example/&quot;&gt;&lt;b&gt;"');
    expect(form.body).toContain('<option value="draft" selected>');
    expect((await send(app, { url: '/federation/explain', headers: { accept: '*/*' } })).status).toBe(401);
  });

  it('shows the explanation for the master token, and never the token', async () => {
    const fixture = await startFederation();
    const { id: sub } = await fixture.relyingParty();
    const response = await submit(fixture, { sub, profile: 'final', master_token: MASTER });
    expect(response).toMatchObject({ status: 200, headers: { ...NO_STORE } });
    expect(response.body).toContain('Trusted until');
    expect(response.body).not.toContain(MASTER);
    expect(await fixture.clients()).toEqual([]);
  });

  it('shows the form again with the reason, and without the token', async () => {
    const fixture = await startFederation();
    const off = await startFederation({ settings: () => ({ FEDERATION_ENABLED: 'false' }) });
    const sub = 'https://rp.example';
    for (const [requested, fields, status, reason] of [
      [fixture, { sub }, 401, 'This is not the master token.'],
      [fixture, { sub, master_token: 'guess' }, 401, 'This is not the master token.'],
      [fixture, { sub: 'rp', master_token: MASTER }, 400, 'sub: must be an entity identifier'],
      [off, { sub, master_token: MASTER }, 400, 'OpenID Federation is not enabled.'],
    ] as const) {
      const response = await submit(requested, fields);
      expect([response.status, response.headers['content-type']]).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
      expect(response.body).toContain(`<p class="alert" role="alert">${reason}</p>`);
      expect(response.body).toContain(`value="${fields.sub}"`);
      expect(response.body).not.toMatch(/guess|master-token/);
    }
  });
});

describe('a form that cannot be read', () => {
  it('gets a JSON response with the error', async () => {
    const { app } = await startFederation();
    const url = '/federation/explain/page';
    const response = await send(app, {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      payload: '{}',
    });
    expect(response).toMatchObject({
      status: 400,
      headers: { 'content-type': 'application/json;charset=UTF-8' },
    });
    expect(JSON.parse(response.body)).toEqual({
      error: 'invalid_request',
      error_description: 'Content-Type must be application/x-www-form-urlencoded',
    });
  });
});

describe('a dry run of a registration', () => {
  it('shows the result in both profiles, and registers nothing', async () => {
    const fixture = await startFederation();
    const member = await fixture.relyingParty();
    const request = await fixture.registrationRequest(member, ISSUER);
    for (const type of ['application/jose', 'application/entity-statement+jwt']) {
      const { status, body } = await dryRun(fixture, request, { type });
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ trusted: true, registration: { metadata: {} } });
    }
    const expired = await fixture.registrationRequest(member, ISSUER, { claims: { exp: 1 } });
    const { body } = await dryRun(fixture, expired);
    expect(JSON.parse(body)).toMatchObject({ trusted: false, reason: 'expired' });
    expect(await dryRun(fixture, 'x')).toMatchObject({ status: 400 });
    expect(await dryRun(fixture, request, { token: 'other' })).toMatchObject({ status: 401 });
    expect(await fixture.clients()).toEqual([]);
  });
});
