import type { Client, ClientRepository } from '@vestibule/clients';
import { secretHashAssociatedData } from '@vestibule/clients/associated-data';
import { isImportableSecret, isSecretExpired, storedSecret } from '@vestibule/clients/registration';
import type { Digester, Encryptor } from '@vestibule/crypto/data-keys';
import { type Clock, nowSeconds, ThrottledError } from '@vestibule/protocol';
import { type Deadline, withinDeadline } from '@vestibule/protocol/runtime';
import { type HashVerifier, hashVerifier } from './hash-verifier.js';

/** Clients whose secret was imported as a hash and has not been used here yet. */
export interface ImportedSecrets {
  /**
   * Whether a secret matches the imported hash of a client. If so, it becomes the client's own secret, stored like any
   * other in place of the hash.
   * @param client as the store has it
   * @throws ThrottledError when too many hashes are being verified, or verifying this one takes too long
   */
  isProven(client: Client, secret: string): Promise<boolean>;
}

/** Dependencies of converting imported secrets. */
export interface ImportedSecretsDeps {
  readonly clients: Pick<ClientRepository, 'find' | 'replace'>;
  readonly digester: Digester;
  readonly encryptor: Encryptor;
  readonly clock: Clock;
  /** How long a request waits for the verification of a hash. */
  readonly deadline: Deadline;
}

interface VerifyingDeps extends ImportedSecretsDeps {
  readonly verifier: HashVerifier;
}

/** By then most verifications beyond the deadline have finished. */
const RETRY_SECONDS = 2;

/**
 * Converts imported hashes into secrets at their first use. Of parallel first uses, on any instances, one stores the
 * secret and all succeed. A concurrent change of the client is not lost: the secret is checked against the changed
 * client.
 */
export function importedSecrets(given: ImportedSecretsDeps): ImportedSecrets {
  const deps = { ...given, verifier: hashVerifier() };
  return {
    isProven: async (client, secret) =>
      // The verification continues after the deadline, and the next request with the secret is accepted.
      isImportableSecret(secret) &&
      withinDeadline(evaluate(deps, client, { secret }), given.deadline, tooLong),
  };
}

function tooLong(): ThrottledError {
  return new ThrottledError(RETRY_SECONDS, 'verifying the hash of an imported secret takes too long');
}

/** The secret, and the hash that it was already verified against. */
interface PresentedSecret {
  readonly secret: string;
  readonly verified?: string;
}

async function evaluate(
  deps: VerifyingDeps,
  client: Client | undefined,
  { secret, verified }: PresentedSecret,
): Promise<boolean> {
  if (client === undefined) return false;
  if (client.secret !== undefined) return isPresent(deps, client.secret, secret);
  const hash = await presentHash(deps, client);
  if (hash === undefined) return false;
  if (hash !== verified && !(await deps.verifier.matches(secret, hash))) return false;
  if (await takeOver(deps, client, secret)) return true;
  return evaluate(deps, await deps.clients.find(client.id), { secret, verified: hash });
}

function isPresent(
  { digester, clock }: ImportedSecretsDeps,
  stored: NonNullable<Client['secret']>,
  secret: string,
): boolean {
  return (
    digester.matchesAvailable('client-secret', secret, stored.digest) &&
    !isSecretExpired(stored, nowSeconds(clock))
  );
}

async function presentHash(
  { encryptor, clock }: ImportedSecretsDeps,
  { id, secretHash }: Client,
): Promise<string | undefined> {
  if (secretHash === undefined || isSecretExpired(secretHash, nowSeconds(clock))) return undefined;
  return encryptor.open(secretHash.encrypted, secretHashAssociatedData(id));
}

/** Returns false and changes nothing if the client has changed since it was read. */
async function takeOver(deps: ImportedSecretsDeps, client: Client, secret: string): Promise<boolean> {
  const { secretHash, ...lasting } = client;
  const end = secretHash?.expiresAt;
  const stored = await storedSecret(deps, client.id, secret);
  return deps.clients.replace({
    client: {
      ...lasting,
      secret: { ...stored, ...(end !== undefined && { expiresAt: end }) },
      updatedAt: nowSeconds(deps.clock),
      version: client.version + 1,
    },
    action: 'client.secret_taken_over',
  });
}
