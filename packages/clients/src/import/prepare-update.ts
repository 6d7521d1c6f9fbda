import { type ClientMetadata, needsClientSecret } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import type { Client } from '../client.js';
import { effectiveMetadata } from '../confirm-metadata.js';
import { usableSecret } from '../next-credentials.js';
import { presentRegistration } from '../policy/registration-policy.js';
import { storeSecret } from '../provision-secret.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { parseRegistrationRequest, present } from '../registration-request.js';
import type { ReadableClient } from './exported-client.js';
import { UNUSED_SECRET, usableExportedSecret } from './prepare-import.js';

/** What a client that is here takes from an export. */
export interface PreparedUpdate {
  /** The client as the update is to find it: where it takes the secret of the export, as if it had that already. */
  readonly existing: Client;
  readonly body: JsonObject;
  readonly secret: 'kept' | 'none' | { readonly lostBecause: string };
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
  if (!needsClientSecret(effective)) return { secret: 'none', remarks: unusedSecret(existing, given.kind) };
  if (existing.secret !== undefined) {
    const usable = await usableSecret(deps, existing, effective);
    if (usable === undefined) return { secret: { lostBecause: UNUSABLE }, remarks: [] };
    const isOther = given.kind === 'given' && given.value !== usable;
    return { secret: 'kept', remarks: isOther ? ['The export has another secret: the one here stays.'] : [] };
  }
  const taken = usableExportedSecret(given, effective);
  if ('lostBecause' in taken) return { secret: taken, remarks: [] };
  const { stored } = await storeSecret(deps, existing, taken.value);
  const client = { ...existing, secret: stored };
  return { client, secret: 'kept', remarks: ['It takes the secret of the export.'] };
}

const UNUSABLE = 'The one here has expired, or is too short for the HMAC algorithms of the client.';

function unusedSecret({ secret }: Client, given: ReadableClient['secret']['kind']): readonly string[] {
  if (secret !== undefined) return ['Its secret ends: the client does not use one any more.'];
  return given === 'given' ? [UNUSED_SECRET] : [];
}
