import { type ClientMetadata, needsClientSecret } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import type { Client } from '../client.js';
import { effectiveMetadata } from '../confirm-metadata.js';
import { usableSecret, usableSecretHash } from '../next-credentials.js';
import { presentRegistration } from '../policy/registration-policy.js';
import { storeSecret, storeSecretHash } from '../provision-secret.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { parseRegistrationRequest, present } from '../registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';
import { isTold, type SecretFate, UNUSED_SECRET } from './prepare-import.js';
import { type UsableSecret, usableExportedSecret } from './usable-exported-secret.js';

/** What a client that is here takes from an export. */
export interface PreparedUpdate {
  /** The client as the update is to find it: where it takes the secret of the export, as if it had that already. */
  readonly existing: Client;
  readonly body: JsonObject;
  readonly secret: SecretFate;
  readonly warnings: readonly string[];
}

/**
 * Makes the update of a client out of its entry in an export. Its secret stays where it still serves, and its data
 * where the export has none.
 * @throws DomainError when the metadata is not acceptable.
 */
export async function prepareUpdate(
  deps: RegistrationDeps,
  existing: Client,
  exported: ReadableClient,
): Promise<PreparedUpdate> {
  const { metadata } = exported;
  const data = present(metadata, 'data') ?? existing.data;
  const body = { ...metadata, ...(data !== undefined && { data }), client_id: existing.id };
  const effective = await effectiveMetadata(deps, metadata, {
    authority: 'operator',
    data: parseRegistrationRequest(body).data,
    client: presentRegistration(existing),
  });
  const { client = existing, secret, remarks } = await nextSecret(deps, existing, { exported, effective });
  return { existing: client, body, secret, warnings: [...exported.warnings, ...remarks] };
}

interface NextSecret extends Pick<PreparedUpdate, 'secret'> {
  /** Where it takes a secret. */
  readonly client?: Client;
  readonly remarks: readonly string[];
}

interface Wanted {
  readonly exported: ReadableClient;
  /** The metadata of the export as they would be registered. */
  readonly effective: ClientMetadata;
}

async function nextSecret(
  deps: RegistrationDeps,
  existing: Client,
  { exported: { secret: given }, effective }: Wanted,
): Promise<NextSecret> {
  if (!needsClientSecret(effective)) return { secret: 'none', remarks: unusedSecret(existing, given) };
  if (existing.secret !== undefined) {
    const usable = await usableSecret(deps, existing, effective);
    if (usable === undefined) return { secret: { lostBecause: UNUSABLE }, remarks: [] };
    const isOther = given.kind === 'given' && given.value !== usable;
    return { secret: 'kept', remarks: isOther ? ['The export has another secret: the one here stays.'] : [] };
  }
  if (existing.secretHash !== undefined && given.kind !== 'given') {
    const hash = usableSecretHash(deps, existing, effective);
    return hash === undefined
      ? { secret: { lostBecause: UNUSABLE_HASH }, remarks: [] }
      : { secret: 'hashed', remarks: [] };
  }
  return takenSecret(deps, existing, usableExportedSecret(given, effective));
}

async function takenSecret(
  deps: RegistrationDeps,
  existing: Client,
  taken: UsableSecret,
): Promise<NextSecret> {
  if (taken.kind === 'lost') return { secret: { lostBecause: taken.because }, remarks: [] };
  const remarks = ['It takes the secret of the export.'];
  const { secretHash: _hash, ...lasting } = existing;
  if (taken.kind === 'hash') {
    const secretHash = await storeSecretHash(deps, existing, taken.hash);
    return { client: { ...lasting, secretHash }, secret: 'hashed', remarks };
  }
  const { stored } = await storeSecret(deps, existing, taken.value);
  return { client: { ...lasting, secret: stored }, secret: 'kept', remarks };
}

const UNUSABLE = 'The one here has expired, or is too short for the HMAC algorithms of the client.';
const UNUSABLE_HASH = 'Only its hash is here, and it has expired or the client needs the secret itself.';

function unusedSecret({ secret, secretHash }: Client, given: ExportedSecret): readonly string[] {
  if (secret !== undefined || secretHash !== undefined)
    return ['Its secret ends: the client does not use one any more.'];
  return isTold(given) ? [UNUSED_SECRET] : [];
}
