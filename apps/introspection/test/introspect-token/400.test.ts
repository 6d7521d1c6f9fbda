import { describe, expect, it } from 'vitest';
import { INTROSPECT } from '../../src/api-description.js';
import { activeMembers, basic, call, JSON_HEADERS, type Seen } from '../support/introspection-call.js';
import { aTestService, SECRET, type TestService } from '../support/test-service.js';

/** Returns the response to a malformed request, with its description. */
function badRequest(description: string): Seen {
  const body = JSON.stringify({ error: 'invalid_request', error_description: description });
  return { status: 400, headers: JSON_HEADERS, body };
}

const BAD_FORM = badRequest('The form is malformed, repeats a parameter or has too many parameters');
const BAD_TYPE = badRequest('Content-Type is missing or not accepted here');
const NOT_THIS_TYPE = badRequest('Content-Type must be application/x-www-form-urlencoded');
const SEVERAL = badRequest('The request must contain only one credential');
const CONTRADICTION = badRequest('client_id: does not match the client of the credential');

/** Expects that the refused request has not consumed the token. */
async function expectAlive({ app }: TestService, token: string) {
  activeMembers(await call(app, { token }));
}

describe('POST /token/introspect with a malformed request', () => {
  it('refuses a missing or empty token', async () => {
    const { app } = await aTestService();
    for (const form of ['', 'token', 'token=', 'Token=x', 'revoke=true', 'token_type_hint=access_token'])
      expect(await call(app, form === '' ? 'a=b' : form), form).toEqual(badRequest('token: is missing'));
    expect(await call(app, '')).toEqual(badRequest('token: is missing'));
  });

  it('refuses values of revoke other than true and false, and does not consume the token', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    for (const revoke of ['TRUE', 'True', '1', 'yes', 'true ', 'false,true', 'null'])
      expect(await call(service.app, { token, revoke }), revoke).toEqual(
        badRequest('revoke: must be true or false'),
      );
    await expectAlive(service, token);
  });

  it('treats parameters without a value as absent (RFC 6749 section 3.2), but refuses repeated ones', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const empty = 'revoke=&client_id=&client_secret=&client_assertion=&token_type_hint=';
    activeMembers(await call(service.app, `token=${token}&${empty}`));
    expect(await call(service.app, `token=${token}&revoke=&revoke=true`)).toMatchObject({ status: 400 });
    expect(await call(service.app, `token=${token}&token=`)).toMatchObject({ status: 400 });
    await expectAlive(service, token);
  });

  it('refuses repeated parameters, equal or not (RFC 6749 section 3.2)', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const names = [
      'token',
      'token_type_hint',
      'revoke',
      'client_id',
      'client_secret',
      'client_assertion',
      'other',
    ];
    for (const name of names) {
      const repeated = `token=${token}&${name}=true&${name}=true`;
      expect(await call(service.app, repeated), name).toEqual(BAD_FORM);
      expect(await call(service.app, `${repeated.slice(0, -4)}false`), name).toEqual(BAD_FORM);
    }
    await expectAlive(service, token);
  });

  it('refuses NUL and invalid UTF-8, before and after decoding', async () => {
    const { app } = await aTestService();
    for (const form of [
      'token=a%00b',
      'token=a\0b',
      'token=%ff',
      'token=%c3%28',
      'token=%ed%a0%80',
      'token=%zz',
    ])
      expect((await call(app, form)).status, form).toBe(400);
    const bytes = Buffer.concat([Buffer.from('token='), Buffer.from([0xff, 0xfe])]);
    expect(await call(app, {}, { payload: bytes })).toEqual(BAD_FORM);
  });

  it('refuses every other media type, even with content that another parser would accept', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const payload = `token=${token}`;
    const types = [
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded-x',
      'application/jwt',
      'garbage',
    ];
    for (const type of types)
      expect([BAD_TYPE, NOT_THIS_TYPE]).toContainEqual(
        await call(service.app, payload, { headers: { 'content-type': type } }),
      );
    for (const charset of ['utf-16', 'iso-8859-1', 'utf-8,x']) {
      const headers = { 'content-type': `application/x-www-form-urlencoded; charset=${charset}` };
      expect(await call(service.app, payload, { headers }), charset).toEqual(NOT_THIS_TYPE);
    }
    const utf8 = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    activeMembers(await call(service.app, payload, { headers: utf8 }));
  });

  it('refuses a body that is too large', async () => {
    const { app } = await aTestService();
    expect(await call(app, { token: 'x'.repeat(20_000) })).toEqual(badRequest('The body is too large'));
  });

  it('accepts exactly the body size and number of parameters in its API document', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const ofBytes = (bytes: number) => `token=${token}&x=`.padEnd(bytes, 'y');
    const ofParameters = (count: number) =>
      [`token=${token}`, ...Array.from({ length: count - 1 }, (_, index) => `x${index}=y`)].join('&');
    activeMembers(await call(service.app, ofBytes(16_384)));
    expect(await call(service.app, ofBytes(16_385))).toEqual(badRequest('The body is too large'));
    activeMembers(await call(service.app, ofParameters(20)));
    expect(await call(service.app, ofParameters(21))).toEqual(BAD_FORM);
    expect(INTROSPECT.description).toContain('at most 16,384 bytes and 20 parameters');
  });

  it('refuses every form parameter in the query, which logs may store (RFC 7662 section 4)', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    for (const name of ['token', 'client_secret', 'client_assertion', 'revoke']) {
      const url = `/token/introspect?${name}=${token}`;
      const description = `${name}: is invalid in the query`;
      expect(await call(service.app, { token }, { url }), name).toEqual(badRequest(description));
    }
    const malformed = '/token/introspect?token=a&token=b';
    expect((await call(service.app, { token }, { url: malformed })).status).toBe(400);
    activeMembers(await call(service.app, { token }, { url: '/token/introspect?tenant=a' }));
  });
});

describe('POST /token/introspect with several credentials', () => {
  it('refuses them, valid or not', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    const assertion = { client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer' };
    const forms = [
      { client_id: 'rs1', client_secret: SECRET },
      { client_secret: 'wrong' },
      { client_assertion: 'x', ...assertion },
      assertion,
    ];
    const headers = [basic(), basic('rs1', 'wrong'), 'Bearer abc', 'Basic', 'Bearer', 'Digest x', ''];
    for (const form of forms)
      for (const authorization of headers)
        expect(await call(service.app, { token, ...form }, { authorization })).toEqual(SEVERAL);
    const inForm = { token, client_id: 'rs1', client_secret: SECRET, client_assertion: 'x' };
    expect(await call(service.app, inForm, { authorization: undefined })).toEqual(SEVERAL);
  });

  it('refuses a client_id that contradicts the credential, and accepts an equal one', async () => {
    const service = await aTestService();
    const token = await service.identifier();
    for (const client_id of ['rs2', 'client'])
      expect(await call(service.app, { token, client_id })).toEqual(CONTRADICTION);
    activeMembers(await call(service.app, { token, client_id: 'rs1' }));
  });
});
