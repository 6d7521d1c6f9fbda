import type { ClientMetadata } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import type { JsonObject } from '@vestibule/protocol/json';
import type { Client } from '../client.js';
import { policyViewOf } from '../policy/registration-policy.js';
import { effectiveMetadata } from '../registration/confirm-metadata.js';
import { usableSecret, usableSecretHash } from '../registration/next-secret.js';
import { storeSecret, storeSecretHash } from '../registration/provision-credentials.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { parseRegistrationRequest, present } from '../registration/registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';
import { isTold, type SecretFate, UNUSED_SECRET } from './prepare-import.js';
import { type UsableSecret, usableExportedSecret } from './usable-exported-secret.js';

/** What an existing client takes from an export. */
export interface PreparedUpdate {
  /** The client as the update must find it; if it takes the secret of the export, already with that secret. */
  readonly existing: Client;
  readonly body: JsonObject;
  readonly secret: SecretFate;
  readonly warnings: readonly string[];
}

/**
 * Converts an exported client into an update of an existing one. The secret stays if it is still usable, and the data
 * if the export has none.
 * @throws DomainError when the metadata are not acceptable.
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
    client: policyViewOf(existing),
  });
  const { client = existing, secret, remarks } = await nextSecret(deps, existing, { exported, effective });
  return { existing: client, body, secret, warnings: [...exported.warnings, ...remarks] };
}

interface NextSecret extends Pick<PreparedUpdate, 'secret'> {
  /** Present if it takes a secret. */
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
    return {
      secret: 'kept',
      remarks: isOther ? ['The export has another secret; the existing one stays.'] : [],
    };
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
  const remarks = ['It gets the secret of the export.'];
  const { secretHash: _hash, ...lasting } = existing;
  if (taken.kind === 'hash') {
    const secretHash = await storeSecretHash(deps, existing, taken.hash);
    return { client: { ...lasting, secretHash }, secret: 'hashed', remarks };
  }
  const { stored } = await storeSecret(deps, existing, taken.value);
  return { client: { ...lasting, secret: stored }, secret: 'kept', remarks };
}

const UNUSABLE = 'The existing secret has expired, or is too short for its HMAC algorithms.';
const UNUSABLE_HASH =
  'Only the hash of the existing secret is stored, and it has expired or the client needs the secret itself.';

function unusedSecret({ secret, secretHash }: Client, given: ExportedSecret): readonly string[] {
  if (secret !== undefined || secretHash !== undefined)
    return ['Its secret is deleted: the client no longer uses one.'];
  return isTold(given) ? [UNUSED_SECRET] : [];
}
