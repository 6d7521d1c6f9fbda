import { needsClientSecret } from '@vestibule/metadata';
import type { JsonObject } from '@vestibule/protocol';
import { effectiveMetadata } from '../confirm-metadata.js';
import type { RegistrationDeps } from '../registration-deps.js';
import { parseRegistrationRequest } from '../registration-request.js';
import type { ExportedSecret, ReadableClient } from './exported-client.js';
import type { ImportedSecret } from './imported-secret.js';
import { usableExportedSecret } from './usable-exported-secret.js';

/**
 * What becomes of a client's secret: it is kept, kept as its hash until it is first used, not needed, or cannot be
 * kept.
 */
export type SecretFate = 'kept' | 'hashed' | 'none' | { readonly lostBecause: string };

/** A client of an export as the body of a registration. */
export interface PreparedImport {
  readonly body: JsonObject;
  readonly importedSecret?: ImportedSecret;
  readonly secret: SecretFate;
  readonly warnings: readonly string[];
}

/**
 * Makes the body of a registration out of a client of an export. It is judged by that registration alone: the same
 * rules hold as for everyone who presets an identifier. Its secret may be shorter than one that a request presets.
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
    const unused = isTold(secret) ? [UNUSED_SECRET] : [];
    return { body, secret: 'none', warnings: [...warnings, ...unused] };
  }
  const usable = usableExportedSecret(secret, effective);
  if (usable.kind === 'lost') return { body, secret: { lostBecause: usable.because }, warnings };
  return { body, importedSecret: usable, secret: usable.kind === 'hash' ? 'hashed' : 'kept', warnings };
}

/** Whether an export tells a secret, be it as a hash. */
export function isTold({ kind }: ExportedSecret): boolean {
  return kind === 'given' || kind === 'hashed';
}

/** The remark on a secret that nothing is done with. */
export const UNUSED_SECRET = 'Its secret is left out: the client does not use one.';
