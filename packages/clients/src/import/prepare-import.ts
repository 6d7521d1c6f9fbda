import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import type { JsonObject } from '@vestibule/protocol/json';
import type { ImportedSecret } from '../registration/accept-registration.js';
import { effectiveMetadata } from '../registration/confirm-metadata.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { parseRegistrationRequest } from '../registration/registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';
import { usableExportedSecret } from './usable-exported-secret.js';

/** What happens to a client's secret: kept, kept as a hash until its first use, not needed, or lost. */
export type SecretFate = 'kept' | 'hashed' | 'none' | { readonly lostBecause: string };

/** An exported client as the body of a registration. */
export interface PreparedImport {
  readonly body: JsonObject;
  readonly importedSecret?: ImportedSecret;
  readonly secret: SecretFate;
  readonly warnings: readonly string[];
}

/**
 * Converts an exported client into the body of a registration, which the usual rules for preset identifiers then
 * validate. Its secret may be shorter than a preset one.
 * @throws DomainError when the metadata are not acceptable.
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
    const unused = isTold(secret) ? [UNUSED_SECRET] : [];
    return { body, secret: 'none', warnings: [...warnings, ...unused] };
  }
  const usable = usableExportedSecret(secret, effective);
  if (usable.kind === 'lost') return { body, secret: { lostBecause: usable.because }, warnings };
  return { body, importedSecret: usable, secret: usable.kind === 'hash' ? 'hashed' : 'kept', warnings };
}

/** Whether an export contains a secret, in plain text or as a hash. */
export function isTold({ kind }: ExportedSecret): boolean {
  return kind === 'given' || kind === 'hashed';
}

/** The warning about a secret that the client does not need. */
export const UNUSED_SECRET = 'Its secret is left out: the client does not use one.';
