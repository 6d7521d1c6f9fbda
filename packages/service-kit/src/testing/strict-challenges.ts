const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
// Of a quoted string only what RFC 6750 section 3 permits, which needs no escapes.
const PARAMETER = `${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]*")`;
const CHALLENGE = `${TOKEN}(?: ${PARAMETER}(?:, ${PARAMETER})*)?`;
const HEADER = new RegExp(`^${CHALLENGE}(?:, ${CHALLENGE})*$`);

/**
 * Reads a field value of `WWW-Authenticate` as the strictest reader would (RFC 9110 section 11.6.1), and does nothing.
 * @throws TypeError when it is none, or a parameter comes twice in a challenge.
 */
export function requireStrictChallenges(value: string): void {
  if (!HEADER.test(value)) throw new TypeError(`no list of challenges: ${value}`);
  for (const [challenge] of value.matchAll(new RegExp(CHALLENGE, 'g'))) {
    const names = [...challenge.matchAll(new RegExp(`(${TOKEN})=(?:${TOKEN}|"[^"]*")`, 'g'))].map(
      ([, name = '']) => name.toLowerCase(),
    );
    if (new Set(names).size < names.length) throw new TypeError(`a parameter comes twice: ${challenge}`);
  }
}
