import { type ClientMetadata, minimumSecretLength, needsClientSecret } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import { effectiveMetadata } from '../confirm-metadata.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { isPresetSecret, parseRegistrationRequest } from '../registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';

/** A client of an export as the body of a registration. */
export interface PreparedImport {
  readonly body: JsonObject;
  readonly secret: 'kept' | 'none' | { readonly lostBecause: string };
  readonly warnings: readonly string[];
}

/**
 * Makes the body of a registration out of a client of an export. It is judged by that registration alone: the same
 * rules hold as for everybody who presets identifier and secret.
 * @throws DomainError when the metadata is not acceptable.
 */
export async function prepareImport(
  deps: RegistrationDeps,
  { id, metadata, secret, warnings }: ReadableClient,
): Promise<PreparedImport> {
  const body = { ...metadata, preferred_client_id: id };
  const effective = await effectiveMetadata(deps, metadata, {
    authority: 'operator',
    data: parseRegistrationRequest(body).data,
  });
  if (!needsClientSecret(effective)) {
    const unused = secret.kind === 'given' ? [UNUSED_SECRET] : [];
    return { body, secret: 'none', warnings: [...warnings, ...unused] };
  }
  const usable = usableExportedSecret(secret, effective);
  if ('lostBecause' in usable) return { body, secret: usable, warnings };
  return { body: { ...body, preferred_client_secret: usable.value }, secret: 'kept', warnings };
}

/** The remark on a secret that nothing is done with. */
export const UNUSED_SECRET = 'Its secret is left out: the client does not use one.';

/** The secret of an export that a client with such metadata can have here, or why it cannot. */
export function usableExportedSecret(
  secret: ExportedSecret,
  metadata: ClientMetadata,
): { readonly value: string } | { readonly lostBecause: string } {
  if (secret.kind === 'lost') return { lostBecause: secret.reason };
  if (secret.kind === 'none') return { lostBecause: 'The export holds no secret.' };
  const { value } = secret;
  if (!isPresetSecret(value))
    return { lostBecause: 'It must have 32 to 256 printable ASCII characters here.' };
  if (value.length < minimumSecretLength(metadata))
    return { lostBecause: 'It is too short for the HMAC algorithms of the client.' };
  return { value };
}
