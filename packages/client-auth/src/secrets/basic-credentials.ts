/** User name and password of HTTP Basic authentication, form-decoded. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const CONTROLS = /\p{Cc}/u;

/**
 * Parses the credentials after `Basic` by RFC 6749 section 2.3.1: strict base64, UTF-8, split at the first colon, both
 * parts form-urlencoded. `undefined` for anything else; never throws.
 */
export function parseBasicCredentials(encoded: string): BasicCredentials | undefined {
  const text = decodeBase64(encoded);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon === -1) return undefined;
  const username = decodeFormValue(text.slice(0, colon));
  const password = decodeFormValue(text.slice(colon + 1));
  return username === undefined || password === undefined ? undefined : { username, password };
}

function decodeBase64(encoded: string): string | undefined {
  if (encoded === '' || !BASE64.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  // Node ignores unused bits in the last character, so one credential would have several spellings.
  return bytes.toString('base64') === encoded ? decodeUtf8(bytes) : undefined;
}

function decodeFormValue(encoded: string): string | undefined {
  const decoded = percentDecode(encoded.replaceAll('+', ' '));
  return decoded === undefined || CONTROLS.test(decoded) ? undefined : decoded;
}

function percentDecode(encoded: string): string | undefined {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    // Malformed percent-encoding, or bytes that are not UTF-8.
    return undefined;
  }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
