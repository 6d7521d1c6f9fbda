import { hash } from 'node:crypto';
import type { CredentialRequest } from './credential-request.js';

/**
 * A SHA-256 of the one credential that a request presents, for credentials that may come again: a secret, or a
 * certificate with its client. `undefined` for an assertion, which is good for one use, for several credentials, and
 * for none.
 */
export function credentialDigest(request: CredentialRequest): string | undefined {
  const { form, certificate } = request;
  const ofSecret = secretDigest(request);
  if (ofSecret !== undefined || certificate === undefined || form.client_id === undefined) return ofSecret;
  const ofCertificate = hash('sha256', certificate.der, 'base64');
  return hash('sha256', `\0certificate:${ofCertificate}${form.client_id}`, 'base64');
}

/** The same for a secret alone. */
export function secretDigest({ authorization, form }: CredentialRequest): string | undefined {
  if (form.client_assertion !== undefined || form.client_assertion_type !== undefined) return undefined;
  if (authorization !== undefined)
    return form.client_secret === undefined ? hash('sha256', authorization, 'base64') : undefined;
  if (form.client_secret === undefined || form.client_id === undefined) return undefined;
  // No header begins like this: the two forms never meet.
  return hash('sha256', `\0${form.client_id.length}:${form.client_id}${form.client_secret}`, 'base64');
}
