import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { updateClient } from '../management/update-client.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { statementFixture } from '../testing/statement-fixture.js';
import { parseStatementIssuers } from './statement-issuers.js';

const CALLBACK = 'https://app.example/callback';
const KEYS = { keys: [] };

/** Registration with the real verifier, and statements of a trusted vendor. */
async function createFixture(grantedScopes = 'client-reg:grant:code client-reg:scope:read', settings = {}) {
  const { verifier, state, clock: vendorClock } = statementFixture();
  const fixture = await registrationFixture(settings);
  Object.assign(fixture.deps, { softwareStatements: verifier });
  /** Registers plain members with a statement of these claims. */
  const register = async (plain: JsonObject, claims: JsonObject) => {
    const statement = await state(claims);
    const body = { ...plain, software_statement: statement };
    const { information } = await fixture.register(body, await fixture.issue(grantedScopes));
    return { information, statement };
  };
  const pass = (seconds: number) => {
    vendorClock.advanceSeconds(seconds);
    fixture.clock.advanceSeconds(seconds);
  };
  return { ...fixture, state, pass, registerStated: register };
}

describe('registration with a software statement (RFC 7591 section 2.3)', () => {
  it('uses the claims in place of the plain members, and returns the statement unchanged', async () => {
    const { registerStated } = await createFixture();
    const { information, statement } = await registerStated(
      { redirect_uris: ['https://evil.example/cb'], client_name: 'Mine', contacts: ['me@app.example'] },
      { redirect_uris: [CALLBACK], client_name: 'Vendor App', software_id: 'app' },
    );
    expect(information).toMatchObject({
      redirect_uris: [CALLBACK],
      client_name: 'Vendor App',
      software_id: 'app',
      contacts: ['me@app.example'],
      software_statement: statement,
    });
  });

  it('checks plain members and claims together, not the plain members alone', async () => {
    const { registerStated } = await createFixture();
    const stated = await registerStated({}, { redirect_uris: [CALLBACK] });
    expect(stated.information).toMatchObject({ redirect_uris: [CALLBACK] });
    const overruled = await registerStated({ redirect_uris: 7 }, { redirect_uris: [CALLBACK] });
    expect(overruled.information).toMatchObject({ redirect_uris: [CALLBACK] });
  });

  it('uses a stated value in place of a plain list of supported ones, and a stated list in place of a plain value', async () => {
    const { registerStated } = await createFixture();
    const plain = { redirect_uris: [CALLBACK] };
    const list = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    const value = { token_endpoint_auth_method: 'none' };
    const { information: valueStated } = await registerStated({ ...plain, ...list }, value);
    expect(valueStated['token_endpoint_auth_method']).toBe('none');
    const { information: listStated } = await registerStated({ ...plain, ...value }, list);
    expect(listStated['token_endpoint_auth_method']).toBe('client_secret_basic');
  });

  it('applies the metadata rules to claims', async () => {
    const { registerStated } = await createFixture();
    const plain = { redirect_uris: [CALLBACK] };
    const bad: readonly (readonly [string, JsonObject])[] = [
      ['invalid_redirect_uri', { redirect_uris: ['http://evil.example/cb'] }],
      ['invalid_redirect_uri', { redirect_uris: [] }],
      ['invalid_redirect_uri', { redirect_uris: CALLBACK }],
      ['invalid_client_metadata', { logo_uri: 'javascript:alert(1)' }],
      ['invalid_client_metadata', { id_token_signed_response_alg: 'none' }],
      ['invalid_client_metadata', { jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
      ['invalid_client_metadata', { jwks: KEYS, jwks_uri: 'https://vendor.example/jwks' }],
    ];
    for (const [code, claims] of bad)
      await expect(registerStated(plain, claims), JSON.stringify(claims)).rejects.toMatchObject({ code });
  });

  it('grants nothing beyond the granted scopes of the registrant', async () => {
    const { registerStated } = await createFixture();
    const plain = { redirect_uris: [CALLBACK], scope: 'read' };
    expect((await registerStated(plain, {})).information).toMatchObject({ scope: 'read' });
    for (const claims of [
      { scope: 'read write' },
      { grant_types: ['password'], response_types: [] },
      { grant_types: ['authorization_code', 'client_credentials'] },
    ])
      await expect(registerStated(plain, claims)).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  it('sets nothing but metadata: no issued member, preset or data', async () => {
    const { registerStated, all } = await createFixture('client-reg');
    const { information, statement } = await registerStated(
      { redirect_uris: [CALLBACK] },
      {
        client_id: 'chosen',
        client_secret: 'chosen-secret-0123456789-0123456789-0123',
        client_secret_expires_at: 1,
        client_id_issued_at: 1,
        registration_access_token: 'chosen',
        registration_client_uri: 'https://evil.example/',
        preferred_client_id: 'chosen',
        preferred_client_secret: 'chosen-secret-0123456789-0123456789-0123',
        data: { a: 1 },
        software_statement: 'e30.e30.e30',
        unknown: true,
      },
    );
    expect(JSON.stringify({ ...information, software_statement: '' })).not.toMatch(/chosen|evil|unknown/);
    expect(information).not.toHaveProperty('data');
    expect(information).toMatchObject({ client_secret_expires_at: 0, software_statement: statement });
    expect(await all()).toMatchObject([{ origin: 'registration' }]);
  });

  it('treats a null claim as absent', async () => {
    const { registerStated } = await createFixture();
    const plain = { redirect_uris: [CALLBACK], client_name: 'Mine', 'client_name#de': 'Meins' };
    const { information } = await registerStated(plain, { client_name: null, redirect_uris: null });
    expect(information).toMatchObject(plain);
  });

  it('drops plain members that would contradict a claim', async () => {
    const { registerStated } = await createFixture();
    const redirect = { redirect_uris: [CALLBACK] };
    const named = await registerStated(
      {
        ...redirect,
        client_name: 'Evil',
        'client_name#de': 'Evil',
        'client_name#fr': 'Evil',
        'tos_uri#de': CALLBACK,
      },
      { client_name: 'Vendor App', 'client_name#de': 'Anwendung' },
    );
    expect(named.information).toMatchObject({
      client_name: 'Vendor App',
      'client_name#de': 'Anwendung',
      'tos_uri#de': CALLBACK,
    });
    expect(named.information).not.toHaveProperty('client_name#fr');
    const tagged = await registerStated(
      { ...redirect, client_name: 'Mine', 'client_name#DE': 'Evil' },
      { 'client_name#de': 'Anwendung' },
    );
    expect(tagged.information).toMatchObject({ client_name: 'Mine', 'client_name#de': 'Anwendung' });
    expect(tagged.information).not.toHaveProperty('client_name#DE');
    const keyed = await registerStated(
      { ...redirect, jwks: KEYS },
      { jwks_uri: 'https://vendor.example/jwks' },
    );
    expect(keyed.information).toMatchObject({ jwks_uri: 'https://vendor.example/jwks' });
    expect(keyed.information).not.toHaveProperty('jwks');
  });

  it('consumes no initial access token for a refused statement', async () => {
    const { issue, register, state } = await createFixture();
    const token = await issue('client-reg');
    const body = {
      redirect_uris: [CALLBACK],
      software_statement: await state({ iss: 'https://evil.example' }),
    };
    await expect(register(body, token)).rejects.toMatchObject({ code: 'unapproved_software_statement' });
    for (const statement of ['e30.e30.e30', '', 'x'.repeat(20_000), 7, ['e30.e30.e30'], {}])
      await expect(register({ ...body, software_statement: statement }, token)).rejects.toMatchObject({
        code: 'invalid_software_statement',
      });
    await register({ redirect_uris: [CALLBACK] }, token);
  });

  it('requires a statement of a trusted issuer if configured so, at updates too', async () => {
    const { deps, register, registerStated } = await createFixture('client-reg', {
      softwareStatementRequired: true,
    });
    for (const body of [
      { redirect_uris: [CALLBACK] },
      { redirect_uris: [CALLBACK], software_statement: null },
    ])
      await expect(register(body, MASTER)).rejects.toMatchObject({ code: 'invalid_software_statement' });
    const { information, statement } = await registerStated({}, { redirect_uris: [CALLBACK] });
    const id = information.client_id;
    const update = (body: JsonObject) =>
      updateClient(deps, { id, token: MASTER, body: { client_id: id, ...body } });
    await expect(update({ redirect_uris: [CALLBACK] })).rejects.toMatchObject({
      code: 'invalid_software_statement',
    });
    const updated = await update({
      redirect_uris: ['https://evil.example/cb'],
      software_statement: statement,
    });
    expect(updated.information).toMatchObject({ redirect_uris: [CALLBACK], software_statement: statement });
  });
});

describe('an update of a client with a software statement', () => {
  /** A client whose statement has expired, and updates of it with the master token. */
  async function expired(settings = {}) {
    const test = await createFixture('client-reg', settings);
    const exp = Math.floor(test.clock.nowMs() / 1000) + 60;
    const claims = { client_name: 'Vendor App', redirect_uris: [CALLBACK], exp };
    const { information, statement } = await test.registerStated({}, claims);
    test.pass(60);
    const id = information.client_id;
    const update = (body: JsonObject) =>
      updateClient(test.deps, { id, token: MASTER, body: { client_id: id, ...body } });
    return { ...test, id, exp, information, statement, update };
  }

  it('keeps the registered statement, whose claims still override members, after its expiry', async () => {
    const { information, statement, update } = await expired({ softwareStatementRequired: true });
    const stated = { client_name: 'Vendor App', redirect_uris: [CALLBACK], software_statement: statement };
    const changed = { ...information, client_name: 'Evil', redirect_uris: ['https://evil.example/cb'] };
    const first = await update({ ...changed, contacts: ['me@app.example'] });
    expect(first.information).toMatchObject({ ...stated, contacts: ['me@app.example'] });
    expect((await update({ software_statement: statement })).information).toMatchObject(stated);
  });

  it('checks every other statement, even one with the same claims', async () => {
    const { id, exp, state, statement, update, register, registerStated } = await expired();
    const invalid = { code: 'invalid_software_statement' };
    const [head, payload, signature] = statement.split('.');
    const others = [
      await state({ client_name: 'Vendor App', redirect_uris: [CALLBACK], exp }),
      `${head}.${payload}.${'A'.repeat(86)}`,
      `${head}.${Buffer.from('{"iss":"https://vendor.example"}').toString('base64url')}.${signature}`,
      `${statement} `,
    ];
    for (const software_statement of others)
      await expect(update({ redirect_uris: [CALLBACK], software_statement })).rejects.toMatchObject(invalid);
    await expect(register({ software_statement: statement }, MASTER)).rejects.toMatchObject(invalid);
    const other = await registerStated({}, { redirect_uris: [CALLBACK] });
    expect(other.information.client_id).not.toBe(id);
    const newer = await state({ client_name: 'Newer', redirect_uris: [CALLBACK] });
    expect((await update({ software_statement: newer })).information).toMatchObject({ client_name: 'Newer' });
    await expect(update({ software_statement: statement })).rejects.toMatchObject(invalid);
  });

  it('checks a statement that another update has replaced in the meantime', async () => {
    const { deps, id, statement, update } = await expired();
    let isDropped = false;
    const clients: typeof deps.clients = {
      ...deps.clients,
      replace: async (replacement) => {
        if (!isDropped) {
          isDropped = true;
          await update({ redirect_uris: [CALLBACK] });
        }
        return deps.clients.replace(replacement);
      },
    };
    const body = { client_id: id, software_statement: statement };
    await expect(updateClient({ ...deps, clients }, { id, token: MASTER, body })).rejects.toMatchObject({
      code: 'invalid_software_statement',
    });
  });

  it('is refused if the issuer is no longer trusted', async () => {
    const { deps, statement, update } = await expired();
    const { verifier } = statementFixture({ issuers: parseStatementIssuers({}) });
    Object.assign(deps, { softwareStatements: verifier });
    await expect(update({ software_statement: statement })).rejects.toMatchObject({
      code: 'unapproved_software_statement',
    });
    await expect(update({ redirect_uris: [CALLBACK] })).resolves.toBeDefined();
  });
});
