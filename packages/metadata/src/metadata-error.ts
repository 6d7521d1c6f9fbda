import { DomainError } from '@vestibule/protocol';

/**
 * The refusal of a member, or of one of its elements as in `contacts[3]`; `rule` completes the sentence that its name
 * begins. Redirect URIs have an error code of their own (RFC 7591 section 3.2.2).
 */
export function invalidMetadata(name: string, rule: string): DomainError {
  const isRedirectUri = name === 'redirect_uris' || name.startsWith('redirect_uris[');
  return new DomainError(
    isRedirectUri ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    `The client metadata member ${name} ${rule}.`,
  );
}
