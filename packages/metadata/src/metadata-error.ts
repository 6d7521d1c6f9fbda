import { DomainError } from '@vestibule/protocol';

/**
 * Builds the error for a member, or one of its elements as in `contacts[3]`; `rule` completes the sentence that the
 * name begins. Redirect URIs have their own error code (RFC 7591 section 3.2.2).
 */
export function invalidMetadata(name: string, rule: string): DomainError {
  const isRedirectUri = name === 'redirect_uris' || name.startsWith('redirect_uris[');
  return new DomainError(
    isRedirectUri ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    `The client metadata member ${name} ${rule}.`,
  );
}
