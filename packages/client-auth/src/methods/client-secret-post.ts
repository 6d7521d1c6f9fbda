import { parseClientId } from '@vestibule/protocol';
import { undisclosedRefusal } from '../client-refusal.js';
import { ABSENT, type CredentialReader } from '../presented-credential.js';
import { clientSecretProof } from '../secrets/client-secret-proof.js';

/** `client_secret_post`: identifier and secret in the form parameters (RFC 6749 section 2.3.1). */
export const clientSecretPost: CredentialReader = ({ form }) => {
  if (form.client_secret === undefined) return ABSENT;
  const clientId = parseClientId(form.client_id);
  if (clientId === undefined)
    return { kind: 'malformed', refusal: undisclosedRefusal('client_secret came without a client_id') };
  return {
    kind: 'presented',
    credential: clientSecretProof(['client_secret_post'], clientId, form.client_secret),
  };
};
