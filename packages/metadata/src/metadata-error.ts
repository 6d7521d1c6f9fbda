import { DomainError } from '@vestibule/protocol';

/** The refusal of a member other than `redirect_uris`; `rule` completes the sentence that the member's name begins. */
export function invalidMetadata(member: string, rule: string): DomainError {
  return new DomainError('invalid_client_metadata', `The client metadata member ${member} ${rule}.`);
}

/** The refusal of `redirect_uris`, which has an error code of its own (RFC 7591 section 3.2.2). */
export function invalidRedirectUri(rule: string): DomainError {
  return new DomainError('invalid_redirect_uri', `The client metadata member redirect_uris ${rule}.`);
}
