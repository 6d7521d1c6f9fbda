/**
 * Tells which paths of a build's context are left out, by a `.dockerignore` file: the last line that fits a path or a
 * folder above it counts, and one that starts with an exclamation mark takes back.
 */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isOut: !line.startsWith('!'), fits: patternOf(line.replace(/^!/, '')) }));
  return (path) => {
    const parts = path.split('/');
    const places = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    return rules.findLast(({ fits }) => places.some((place) => fits.test(place)))?.isOut ?? false;
  };
}

function patternOf(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/|\*)/)
    .map((part) =>
      part === '**/' ? '(?:.*/)?' : part === '*' ? '[^/]*' : part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`);
}
