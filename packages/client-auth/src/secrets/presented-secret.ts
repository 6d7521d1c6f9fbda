import type { ClientAuthMethod } from '@vestibule/protocol/constants';
import { schemeCredentials } from '../bearer/authorization-scheme.js';
import type { CredentialRequest } from '../credential-request.js';
import { parseBasicCredentials } from './basic-credentials.js';

/** A secret sent in plain text, and its method. */
export interface PresentedSecret {
  readonly method: Extract<ClientAuthMethod, 'client_secret_basic' | 'client_secret_post'>;
  readonly secret: string;
}

/** Returns the plain-text secret of a request (RFC 6749 section 2.3.1); `undefined` if there is none. */
export function presentedSecret({
  authorization,
  form,
}: Pick<CredentialRequest, 'authorization' | 'form'>): PresentedSecret | undefined {
  if (form.client_secret !== undefined) return { method: 'client_secret_post', secret: form.client_secret };
  const encoded = authorization && schemeCredentials(authorization, 'Basic');
  const secret = encoded ? parseBasicCredentials(encoded)?.password : undefined;
  return secret === undefined ? undefined : { method: 'client_secret_basic', secret };
}
