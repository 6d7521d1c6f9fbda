/** Minimum bits of a secret that cannot be guessed. */
const STRONG_BITS = 128;

const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[^0-9A-Za-z]/, 33],
];

const HEXADECIMAL = /^(?:[0-9a-f-]+|[0-9A-F-]+)$/;

/**
 * Whether a secret has fewer than 128 bits even if every character was chosen at random from the character classes it
 * uses. A secret with more may still be weak, since its origin is unknown.
 */
export function isWeakSecret(secret: string): boolean {
  const counted = HEXADECIMAL.test(secret) ? secret.replaceAll('-', '') : secret;
  return counted.length * Math.log2(alphabetSize(secret)) < STRONG_BITS;
}

function alphabetSize(secret: string): number {
  if (HEXADECIMAL.test(secret)) return 16;
  const sizes = CLASSES.filter(([kind]) => kind.test(secret)).map(([, size]) => size);
  return sizes.reduce((sum, size) => sum + size, 0);
}
