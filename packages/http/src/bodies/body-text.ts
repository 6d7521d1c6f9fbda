import { isUtf8 } from 'node:buffer';
import { DomainError } from '@vestibule/protocol';

/**
 * Decodes a body as UTF-8 without replacement characters, so that two different bodies never become equal.
 * @throws DomainError `invalid_request` if the bytes are not UTF-8
 */
export function bodyText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new DomainError('invalid_request', 'The body is not valid UTF-8');
  return bytes.toString('utf8');
}
