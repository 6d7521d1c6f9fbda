import { parseClientId } from '@vestibule/protocol';
import { authorizationScheme } from '../authorization-scheme.js';
import { parseBasicCredentials } from '../basic-credentials.js';
import { clientSecretProof } from '../client-secret-proof.js';
import { ABSENT, type CredentialReader } from '../presented-credential.js';

/** `client_secret_basic`: the client's identifier and secret in the `Authorization` header (RFC 6749 section 2.3.1). */
export const clientSecretBasic: CredentialReader = ({ authorization }) => {
  if (authorization === undefined || authorizationScheme(authorization) !== 'basic') return ABSENT;
  const credentials = parseBasicCredentials(authorization);
  const clientId = parseClientId(credentials?.username);
  if (credentials === undefined || clientId === undefined)
    return { kind: 'malformed', reason: 'the Basic credentials cannot be read' };
  return {
    kind: 'presented',
    credential: clientSecretProof('client_secret_basic', clientId, credentials.password),
  };
};
