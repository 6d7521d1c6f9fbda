/**
 * Decodes unpadded base64url (RFC 7515 section 2); `undefined` unless it is the canonical spelling: no other
 * characters, padding, white space, or non-zero trailing bits.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
