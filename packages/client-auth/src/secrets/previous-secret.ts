import type { Client } from '@vestibule/clients';
import { previousSecretAssociatedData } from '@vestibule/clients/associated-data';
import { constantTimeEquals, sha256 } from '@vestibule/crypto';
import type { Encryptor } from '@vestibule/crypto/data-keys';
import { JoseFailure, secretVerificationKeys, verifyJwt } from '@vestibule/crypto/jwt';
import type { ClientId } from '@vestibule/protocol';
import { HMAC_ALGORITHMS } from '@vestibule/protocol/constants';
import { ASSERTION_MAX_LENGTH, ASSERTION_TYPES } from '../assertions/why-assertion-refused.js';
import type { ClientAuthDeps } from '../client-auth-deps.js';
import type { CredentialRequest } from '../credential-request.js';
import { isOverlappingSecret, overlappingSecrets, type PreviousSecretDeps } from './overlapping-secrets.js';
import { presentedSecret } from './presented-secret.js';

/** Dependencies of recognizing a previous secret. */
export type PreviousSecretProofDeps = PreviousSecretDeps &
  Pick<ClientAuthDeps, 'digester'> & { readonly encryptor: Pick<Encryptor, 'open'> };

/**
 * Returns the previous secret that a request sends while it still authenticates; `undefined` for any other credential.
 * For servers that authenticate clients themselves and know one secret of each: it says which secret to compare with,
 * and accepts nothing itself.
 */
export async function previousSecret(
  deps: PreviousSecretProofDeps,
  client: Client,
  request: Pick<CredentialRequest, 'authorization' | 'form'>,
): Promise<string | undefined> {
  if (deps.secretOverlapSeconds === 0) return undefined;
  switch (client.metadata.token_endpoint_auth_method) {
    case 'client_secret_basic':
    case 'client_secret_post':
      return matchingPreviousSecret(deps, client, presentedSecret(request)?.secret);
    case 'client_secret_jwt':
      return previousSecretOfAssertion(deps, client, request.form.client_assertion);
    default:
      return undefined;
  }
}

async function matchingPreviousSecret(
  deps: PreviousSecretProofDeps,
  { id, secret: present }: Client,
  secret: string | undefined,
): Promise<string | undefined> {
  if (secret === undefined) return undefined;
  const { digester } = deps;
  const found = await digester.find<{ readonly previous: string | undefined }>(
    async () => {
      if (present !== undefined && digester.matchesAvailable('client-secret', secret, present.digest))
        return { previous: undefined };
      return (await isOverlappingSecret(deps, id, secret)) ? { previous: secret } : undefined;
    },
    async () => {
      // Its digest may be under the missing key, so compare the secrets themselves.
      const presented = sha256(secret);
      const isPresented = async (previous: string) => constantTimeEquals(sha256(previous), presented);
      return { previous: await firstPrevious(deps, id, isPresented) };
    },
  );
  return found?.previous;
}

async function previousSecretOfAssertion(
  deps: PreviousSecretProofDeps,
  { id }: Client,
  assertion: string | undefined,
): Promise<string | undefined> {
  if (assertion === undefined) return undefined;
  return firstPrevious(deps, id, (previous) => isSignedUnder(previous, assertion));
}

async function firstPrevious(
  deps: PreviousSecretProofDeps,
  id: ClientId,
  isProven: (secret: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const { encrypted } of await overlappingSecrets(deps, id)) {
    const secret = await deps.encryptor.open(encrypted, previousSecretAssociatedData(id));
    if (await isProven(secret)) return secret;
  }
  return undefined;
}

async function isSignedUnder(secret: string, assertion: string): Promise<boolean> {
  try {
    await verifyJwt(assertion, {
      keys: async (hint) => secretVerificationKeys([secret], hint),
      algorithms: HMAC_ALGORITHMS,
      types: ASSERTION_TYPES,
      maxLength: ASSERTION_MAX_LENGTH,
    });
    return true;
  } catch (error) {
    if (!(error instanceof JoseFailure)) throw error;
    return false;
  }
}
