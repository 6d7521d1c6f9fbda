import { isUtf8 } from 'node:buffer';
import { DomainError } from '@vestibule/protocol';

/**
 * The text of a body, byte for byte: nothing is replaced, so that two different bodies never become one.
 * @throws DomainError `invalid_request` when the bytes are not UTF-8
 */
export function bodyText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new DomainError('invalid_request', 'The body is not valid UTF-8');
  return bytes.toString('utf8');
}
