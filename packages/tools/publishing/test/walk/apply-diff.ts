/**
 * Applies a `diff` block of a page to a file. A block has lines that begin with a space, `-` or `+`; a line `@@` begins
 * another part. The lines of each part must occur once.
 */
export function applyDiff(text: string, diff: string): string {
  const parts = diff.split(/^@@.*\n/m).filter((part) => part !== '');
  return parts.reduce((changed, part) => {
    const lines = part.split('\n').slice(0, -1);
    const side = (sign: string) =>
      lines
        .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const [before, ...others] = changed.split(side('-'));
    if (before === undefined || others.length !== 1)
      throw new Error(`the file has these lines ${others.length} times, not once:\n${side('-')}`);
    return `${before}${side('+')}${others[0]}`;
  }, text);
}
