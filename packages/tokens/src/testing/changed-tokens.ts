/** Variants of a token that a scanner, a bug or a proxy could produce. */
export function changedTokens(token: string): string[] {
  const mutants = [
    token.toUpperCase(),
    token.toLowerCase(),
    `${token}=`,
    `${token}==`,
    `${token}.`,
    `.${token}`,
  ];
  for (const space of [' ', '\t', '\n', '\r\n', '\u00a0', '\u200b', '%20', '+']) {
    mutants.push(space + token, token + space, token.slice(0, 20) + space + token.slice(20));
  }
  for (let index = 0; index < token.length; index += 1) {
    mutants.push(
      token.slice(0, index),
      token.slice(index + 1),
      token.slice(0, index) + token.slice(index + 1),
    );
    for (let bit = 0; bit < 7; bit += 1) {
      const flipped = String.fromCharCode(token.charCodeAt(index) ^ (1 << bit));
      mutants.push(token.slice(0, index) + flipped + token.slice(index + 1));
    }
  }
  return [...new Set(mutants)].filter((mutant) => mutant !== token);
}
