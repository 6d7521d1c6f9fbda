import { type ClientMetadata, minimumSecretLength, needsClientSecret } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import { effectiveMetadata } from '../confirm-metadata.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { isPresetSecret } from '../registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';

/** A client of an export as the body of a registration. */
export interface PreparedImport {
  readonly body: JsonObject;
  readonly secret: 'kept' | 'none' | { readonly lostBecause: string };
  readonly warnings: readonly string[];
}

/**
 * Makes the body of a registration out of a client of an export. It is judged by that registration alone: the same rules
 * hold as for everybody who presets identifier and secret.
 * @throws DomainError when the metadata is not acceptable.
 */
export async function prepareImport(
  deps: RegistrationDeps,
  { id, metadata, secret, warnings }: ReadableClient,
): Promise<PreparedImport> {
  const body = { ...metadata, preferred_client_id: id };
  const effective = await effectiveMetadata(deps, metadata);
  if (!needsClientSecret(effective)) {
    const unused = secret.kind === 'given' ? ['Its secret is left out: the client does not use one.'] : [];
    return { body, secret: 'none', warnings: [...warnings, ...unused] };
  }
  const lostBecause = obstacle(secret, effective);
  if (secret.kind !== 'given' || lostBecause !== undefined)
    return { body, secret: { lostBecause: lostBecause ?? NONE }, warnings };
  return { body: { ...body, preferred_client_secret: secret.value }, secret: 'kept', warnings };
}

const NONE = 'The export holds no secret.';

function obstacle(secret: ExportedSecret, metadata: ClientMetadata): string | undefined {
  if (secret.kind === 'lost') return secret.reason;
  if (secret.kind === 'none') return NONE;
  if (!isPresetSecret(secret.value)) return 'It must have 32 to 256 printable ASCII characters here.';
  const isLongEnough = secret.value.length >= minimumSecretLength(metadata);
  return isLongEnough ? undefined : 'It is too short for the HMAC algorithms of the client.';
}
