import { type ClientId, DomainError } from '@vestibule/protocol';
import type { ClientCertificate } from './client-certificate.js';

/** The parts of a request that can carry the credentials of a client; all of them unverified. */
export interface CredentialRequest {
  /** The `Authorization` header; absent when the request has none. */
  readonly authorization?: string | undefined;
  /** The form parameters that name a client or prove it (RFC 6749 section 2.3.1, RFC 7521 section 4.2). */
  readonly form: CredentialParameters;
  /**
   * The certificate whose key the client proved in the TLS handshake, ours or that of a proxy that is trusted to say
   * so. Beside another credential it is none itself: it may be there to bind tokens to (RFC 8705 section 3).
   */
  readonly certificate?: ClientCertificate | undefined;
}

/** The form parameters of client authentication. */
export interface CredentialParameters {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** Whether a request carries a credential, good or bad, beside which a certificate is none. */
export function carriesCredential({ authorization, form }: CredentialRequest): boolean {
  const credentials = [authorization, form.client_secret, form.client_assertion, form.client_assertion_type];
  return credentials.some((credential) => credential !== undefined);
}

/**
 * Refuses a request that carries credentials in more than one place, good or bad ones (RFC 6749 section 2.3).
 * @throws DomainError `invalid_request`
 */
export function refuseSeveralCredentials({ authorization, form }: CredentialRequest): void {
  const places = [
    authorization !== undefined,
    form.client_secret !== undefined,
    form.client_assertion !== undefined || form.client_assertion_type !== undefined,
  ];
  if (places.filter(Boolean).length > 1)
    throw new DomainError('invalid_request', 'The request must carry one credential only');
}

/**
 * Refuses a request whose `client_id` parameter names another client than its credential.
 * @throws DomainError `invalid_request`
 */
export function refuseContradiction({ form }: CredentialRequest, clientId: ClientId): void {
  if (form.client_id !== undefined && form.client_id !== clientId)
    throw new DomainError('invalid_request', 'client_id is not the client of the credential');
}
