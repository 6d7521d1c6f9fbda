import {
  CLIENT_AUTH_METHODS,
  type ClientAuthMethod,
  JWT_BEARER_ASSERTION_TYPE,
} from '@vestibule/protocol/constants';
import { describe, expect, it } from 'vitest';
import { authenticateClient } from './authenticate-client.js';
import type { CredentialRequest } from './credential-request.js';
import { assertionFixture, LONG_SECRET } from './testing/assertion-fixture.js';
import { REFUSED } from './testing/authenticate-by-assertion.js';
import { aClientCertificate } from './testing/authenticate-by-certificate.js';

const CERTIFICATE = aClientCertificate();

/** A client that could authenticate by every method if it had registered it. */
async function aVersatileClient() {
  const fixture = await assertionFixture();
  const x5c = [Buffer.from(CERTIFICATE.der).toString('base64')];
  const register = (method: ClientAuthMethod) =>
    fixture.registerSecret({
      token_endpoint_auth_method: method,
      jwks: { keys: [{ ...fixture.pair.jwk, x5c }] },
      tls_client_auth_subject_dn: 'CN=client',
    });
  const assertion = (client_assertion: string): CredentialRequest => ({
    form: { client_assertion, client_assertion_type: JWT_BEARER_ASSERTION_TYPE },
  });
  /** A valid credential in the wire format of a method. */
  const present = async (method: ClientAuthMethod): Promise<CredentialRequest> => {
    switch (method) {
      case 'client_secret_basic':
        return { authorization: `Basic ${Buffer.from(`rs1:${LONG_SECRET}`).toString('base64')}`, form: {} };
      case 'client_secret_post':
        return { form: { client_id: 'rs1', client_secret: LONG_SECRET } };
      case 'client_secret_jwt':
        return assertion(await fixture.assertion({}, fixture.secretKey()));
      case 'private_key_jwt':
        return assertion(await fixture.assertion());
      case 'tls_client_auth':
      case 'self_signed_tls_client_auth':
        return { form: { client_id: 'rs1' }, certificate: CERTIFICATE };
      case 'none':
        return { form: { client_id: 'rs1' } };
    }
  };
  return { fixture, register, present };
}

/** The credentials of two requests in one request. */
function together(one: CredentialRequest, other: CredentialRequest): CredentialRequest {
  return { ...one, ...other, form: { ...one.form, ...other.form } };
}

const usesCertificate = (method: ClientAuthMethod) => method.endsWith('tls_client_auth');
const PROVING_METHODS = CLIENT_AUTH_METHODS.filter((method) => method !== 'none');

describe('authentication of a client (RFC 6749 section 2.3)', () => {
  it('accepts the registered method and refuses every other one', async () => {
    const { fixture, register, present } = await aVersatileClient();
    for (const registered of CLIENT_AUTH_METHODS) {
      await register(registered);
      for (const presented of CLIENT_AUTH_METHODS) {
        const attempt = authenticateClient(fixture.deps, await present(presented));
        const title = `${presented} for ${registered}`;
        // Both use the same wire format; the registered method decides how it is checked.
        const isRight =
          presented === registered || (usesCertificate(presented) && usesCertificate(registered));
        if (isRight && registered !== 'none')
          expect(await attempt, title).toMatchObject({ method: registered });
        else await expect(attempt, title).rejects.toMatchObject(REFUSED);
      }
    }
  });

  it('refuses two credentials in one request, even valid ones, before it checks either', async () => {
    const { fixture, present } = await aVersatileClient();
    const find = () => expect.fail('looked up');
    const deps = { ...fixture.deps, clients: { ...fixture.clients, find } };
    const bearer = { authorization: 'Bearer token', form: {} };
    const secrets = PROVING_METHODS.filter((method) => !usesCertificate(method));
    for (const one of secrets) {
      for (const other of secrets) {
        const isOneForm = one === other || (one.endsWith('_jwt') && other.endsWith('_jwt'));
        if (isOneForm) continue;
        const request = together(await present(one), await present(other));
        const attempt = authenticateClient(deps, request);
        await expect(attempt, `${one} and ${other}`).rejects.toMatchObject({ code: 'invalid_request' });
      }
      if (one === 'client_secret_basic') continue;
      await expect(authenticateClient(deps, together(await present(one), bearer))).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  it('refuses a client_id beside the credential if it names another client', async () => {
    const { fixture, register, present } = await aVersatileClient();
    for (const method of ['client_secret_basic', 'client_secret_jwt', 'private_key_jwt'] as const) {
      await register(method);
      for (const client_id of ['rs2', 'RS1', '']) {
        const request = together(await present(method), { form: { client_id } });
        await expect(authenticateClient(fixture.deps, request)).rejects.toMatchObject({
          code: 'invalid_request',
        });
      }
      await authenticateClient(fixture.deps, together(await present(method), { form: { client_id: 'rs1' } }));
    }
  });

  // Certificates also bind tokens: one that every client of a network presents must not replace a secret.
  it('does not treat a certificate beside another credential as a credential', async () => {
    const { fixture, register, present } = await aVersatileClient();
    const certificate = { form: { client_id: 'rs1' }, certificate: CERTIFICATE };
    for (const method of PROVING_METHODS) {
      await register(method);
      const found = await authenticateClient(fixture.deps, together(certificate, await present(method)));
      expect(found.method).toBe(method);
    }
    await register('tls_client_auth');
    const wrong: CredentialRequest[] = [
      { authorization: `Basic ${Buffer.from('rs1:wrong').toString('base64')}`, form: {} },
      { authorization: 'Digest x', form: {} },
      { authorization: '', form: {} },
      { form: { client_secret: 'wrong' } },
      { form: { client_assertion: 'wrong', client_assertion_type: JWT_BEARER_ASSERTION_TYPE } },
      { form: { client_assertion_type: '' } },
    ];
    for (const credential of wrong)
      await expect(
        authenticateClient(fixture.deps, together(certificate, credential)),
        JSON.stringify(credential),
      ).rejects.toMatchObject(REFUSED);
  });

  it('requires a client_id with a certificate, and an existing client', async () => {
    const { fixture, register } = await aVersatileClient();
    await register('tls_client_auth');
    for (const client_id of [undefined, '', 'rs2', 'rs1 '])
      await expect(
        authenticateClient(fixture.deps, { form: { client_id }, certificate: CERTIFICATE }),
      ).rejects.toMatchObject(REFUSED);
  });
});
