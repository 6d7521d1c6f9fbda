import { type ClientId, DomainError } from '@vestibule/protocol';
import type { ClientCertificate } from './certificates/client-certificate.js';

/** The parts of a request that can carry client credentials, all unverified. */
export interface CredentialRequest {
  /** The `Authorization` header; absent if the request has none. */
  readonly authorization?: string | undefined;
  /** Form parameters that name or authenticate a client (RFC 6749 section 2.3.1, RFC 7521 section 4.2). */
  readonly form: CredentialParameters;
  /**
   * The client certificate of the TLS handshake, here or at a trusted proxy. Beside another credential it is not one
   * itself: it may be there to bind tokens (RFC 8705 section 3).
   */
  readonly certificate?: ClientCertificate | undefined;
}

/** Form parameters of client authentication. */
export interface CredentialParameters {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion_type?: string | undefined;
  readonly client_assertion?: string | undefined;
}

/** Whether a request has a credential, valid or not, other than a certificate. */
export function carriesCredential({ authorization, form }: CredentialRequest): boolean {
  const credentials = [authorization, form.client_secret, form.client_assertion, form.client_assertion_type];
  return credentials.some((credential) => credential !== undefined);
}

/**
 * Refuses a request with credentials in more than one place, valid or not (RFC 6749 section 2.3).
 * @throws DomainError `invalid_request`
 */
export function refuseSeveralCredentials({ authorization, form }: CredentialRequest): void {
  const places = [
    authorization !== undefined,
    form.client_secret !== undefined,
    form.client_assertion !== undefined || form.client_assertion_type !== undefined,
  ];
  if (places.filter(Boolean).length > 1)
    throw new DomainError('invalid_request', 'The request must contain only one credential');
}

/**
 * Refuses a request whose `client_id` parameter contradicts its credential.
 * @throws DomainError `invalid_request`
 */
export function refuseContradiction({ form }: CredentialRequest, clientId: ClientId): void {
  if (form.client_id !== undefined && form.client_id !== clientId)
    throw new DomainError('invalid_request', 'client_id: does not match the client of the credential');
}
