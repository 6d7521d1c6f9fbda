/** The longest mail address (RFC 5321 section 4.5.3.1). */
const MAX_LENGTH = 254;

const MAX_LOCAL_LENGTH = 64;
const LOCAL_PART = /^[^\s@"(),:;<>[\]\\]+$/;
const DOMAIN_LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;

/**
 * Whether a text looks like a mail address: a local part without quoting, and a domain of labels. Takes time in
 * proportion to the length at most, which is bounded.
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
