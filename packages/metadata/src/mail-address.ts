/** Maximum length of an email address (RFC 5321 section 4.5.3.1). */
const MAX_LENGTH = 254;

const MAX_LOCAL_LENGTH = 64;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]+$/;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/**
 * Whether a string looks like an email address: an unquoted local part and a domain of labels. Takes at most linear
 * time, and the length is bounded.
 */
export function isMailAddress(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > MAX_LOCAL_LENGTH || !LOCAL_PART.test(text.slice(0, at))) return false;
  return text
    .slice(at + 1)
    .split('.')
    .every((label) => DOMAIN_LABEL.test(label));
}
