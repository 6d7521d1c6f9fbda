import type { ClientMetadata } from '@vestibule/metadata';
import { needsClientSecret } from '@vestibule/metadata/client-secret-need';
import { DomainError } from '@vestibule/protocol';
import { lackingGrant, permittedScope } from '../registration/check-granted-scopes.js';
import { confirmSector, effectiveMetadata } from '../registration/confirm-metadata.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { withoutResources } from '../resource-servers/resource-identifiers.js';
import { readDocumentContent } from './document-content.js';
import { DocumentRefusal, refusedDocument } from './document-refusal.js';
import type { DocumentSettings } from './document-settings.js';
import { requireSameOrigin } from './document-uris.js';
import type { DocumentUrl } from './document-url.js';

/** Dependencies of accepting documents. */
export interface DocumentAcceptanceDeps {
  readonly registration: RegistrationDeps;
  readonly settings: Pick<DocumentSettings, 'uris' | 'grantedScopes'>;
}

/**
 * Validates the content of a document by the rules, the policy and the granted scopes of registrations. Scope values
 * beyond the granted scopes are left out, because a document is published for every server. Changes nothing.
 * @throws DocumentRefusal; ThrottledError when there is no capacity to fetch what the document refers to
 */
export async function acceptDocument(
  { registration, settings }: DocumentAcceptanceDeps,
  url: DocumentUrl,
  text: string,
): Promise<ClientMetadata> {
  const requested = readDocumentContent(url, text);
  try {
    const effective = await effectiveMetadata(registration, requested, { authority: 'metadata_document' });
    if (needsClientSecret(effective))
      throw refusedDocument('secret', 'its algorithms must not need a client secret');
    if (settings.uris === 'same_origin') requireSameOrigin(url, effective);
    const metadata = withoutResources(withPermittedScope(effective, settings), registration.settings.issuer);
    const lacking = lackingGrant(settings.grantedScopes, { metadata });
    if (lacking !== undefined) throw refusedDocument('metadata', `it may not register ${lacking}`);
    await confirmSector(registration, metadata);
    return metadata;
  } catch (error) {
    throw asRefusal(error);
  }
}

function withPermittedScope(
  metadata: ClientMetadata,
  { grantedScopes }: Pick<DocumentSettings, 'grantedScopes'>,
): ClientMetadata {
  const { values, isWhole } = permittedScope(grantedScopes, metadata);
  if (isWhole) return metadata;
  const { scope: _requested, ...others } = metadata;
  return values.length === 0 ? others : { ...others, scope: values.join(' ') };
}

/** The errors of registrations that are about the metadata; their descriptions quote nothing. */
const METADATA_CODES: readonly string[] = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
];

/** A refusal for an error about the metadata; any other error stays as it is. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof DocumentRefusal || !(error instanceof DomainError)) return error;
  return METADATA_CODES.includes(error.code) ? refusedDocument('metadata', error.description) : error;
}
