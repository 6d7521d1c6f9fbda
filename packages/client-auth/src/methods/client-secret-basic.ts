import { parseClientId } from '@vestibule/protocol';
import { schemeCredentials } from '../bearer/authorization-scheme.js';
import { undisclosedRefusal } from '../client-refusal.js';
import { ABSENT, type CredentialReader } from '../presented-credential.js';
import { parseBasicCredentials } from '../secrets/basic-credentials.js';
import { clientSecretProof } from '../secrets/client-secret-proof.js';

/** `client_secret_basic`: identifier and secret in the `Authorization` header (RFC 6749 section 2.3.1). */
export const clientSecretBasic: CredentialReader = ({ authorization }) => {
  const encoded = authorization === undefined ? undefined : schemeCredentials(authorization, 'Basic');
  if (encoded === undefined) return ABSENT;
  const credentials = parseBasicCredentials(encoded);
  const clientId = parseClientId(credentials?.username);
  if (credentials === undefined || clientId === undefined)
    return { kind: 'malformed', refusal: undisclosedRefusal('the Basic credentials cannot be read') };
  return {
    kind: 'presented',
    credential: clientSecretProof(['client_secret_basic'], clientId, credentials.password),
  };
};
