import { type ClientMetadata, minimumSecretLength, needsClientSecret } from '@vestibule/metadata';
import { DomainError, type JsonObject } from '@vestibule/protocol';
import { effectiveMetadata } from '../confirm-metadata.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { isPresetSecret } from '../registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';

/** How secrets that an export does not tell, or that are not acceptable here, are made up for. */
export interface ImportChoices {
  /** Whether a client whose secret cannot be kept gets a new one; it is a problem otherwise. */
  readonly newSecrets: boolean;
}

/** A client that is ready to be registered by the master token's rights. */
export interface PreparedImport {
  readonly body: JsonObject;
  /** What becomes of its secret. */
  readonly secret: 'kept' | 'new' | 'none';
  readonly warnings: readonly string[];
}

/**
 * Makes the body of a registration out of a client of an export. It is judged by that registration alone: the same rules
 * hold as for everybody who presets identifier and secret.
 * @throws DomainError when the metadata is not acceptable, or `invalid_client_metadata` when the client needs a secret
 *   that cannot be kept, and no new one is wanted.
 */
export async function prepareImport(
  deps: RegistrationDeps,
  { id, metadata, secret, warnings }: ReadableClient,
  { newSecrets }: ImportChoices,
): Promise<PreparedImport> {
  const body = { ...metadata, preferred_client_id: id };
  const effective = await effectiveMetadata(deps, metadata);
  if (!needsClientSecret(effective)) {
    const unused = secret.kind === 'given' ? ['Its secret is left out: the client does not use one.'] : [];
    return { body, secret: 'none', warnings: [...warnings, ...unused] };
  }
  const obstacle = reasonToReplace(secret, effective);
  if (secret.kind === 'given' && (obstacle === undefined || !newSecrets))
    return { body: { ...body, preferred_client_secret: secret.value }, secret: 'kept', warnings };
  if (!newSecrets) throw new DomainError('invalid_client_metadata', `The secret cannot be kept. ${obstacle}`);
  return { body, secret: 'new', warnings: [...warnings, `${obstacle} A new secret is issued.`] };
}

function reasonToReplace(secret: ExportedSecret, metadata: ClientMetadata): string | undefined {
  if (secret.kind === 'lost') return secret.reason;
  if (secret.kind === 'none') return 'The export holds no secret.';
  const isLongEnough = secret.value.length >= minimumSecretLength(metadata);
  return isPresetSecret(secret.value) && isLongEnough ? undefined : 'The secret is not acceptable here.';
}
