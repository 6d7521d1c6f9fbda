/**
 * The bytes of an unpadded base64url text (RFC 7515 section 2), or `undefined` when it is not the one spelling of
 * them: other characters, padding, white space, or bits left over at the end that are not zero.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
