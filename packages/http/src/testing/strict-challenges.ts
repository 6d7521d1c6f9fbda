const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
// Quoted strings may contain only the characters that RFC 6750 section 3 permits, which need no escapes.
const PARAMETER = `${TOKEN}=(?:${TOKEN}|"[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]*")`;
const CHALLENGE = `${TOKEN}(?: ${PARAMETER}(?:, ${PARAMETER})*)?`;
const HEADER = new RegExp(`^${CHALLENGE}(?:, ${CHALLENGE})*$`);

/**
 * Checks a `WWW-Authenticate` value strictly (RFC 9110 section 11.6.1).
 * @throws TypeError if it is invalid, or a challenge repeats a parameter
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
