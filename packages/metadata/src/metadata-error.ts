import { DomainError } from '@vestibule/protocol';

/**
 * Builds the error for a member, or one of its elements as in `contacts[3]`. Redirect URIs have their own error code
 * (RFC 7591 section 3.2.2).
 * @param rule what the member must be, or what is wrong with it
 */
export function invalidMetadata(name: string, rule: string): DomainError {
  const isRedirectUri = name === 'redirect_uris' || name.startsWith('redirect_uris[');
  return new DomainError(
    isRedirectUri ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    `${name}: ${rule}`,
  );
}
