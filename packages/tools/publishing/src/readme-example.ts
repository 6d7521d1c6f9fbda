/** The example of a README, and what it says that the example prints. */
export interface ReadmeExample {
  readonly code: string;
  /** Blanks and line ends count as one blank. */
  readonly prints: string;
}

const TYPESCRIPT_BLOCK = /^```ts\n([\s\S]*?)^```$/gm;

/** What a line prints stands behind an arrow in a comment at its end. */
const PRINTED = /\/\/ → (.*)$/gm;

/** @throws Error unless the README holds exactly one block of TypeScript, which prints something. */
export function readmeExample(readme: string): ReadmeExample {
  const [block, ...others] = [...readme.matchAll(TYPESCRIPT_BLOCK)];
  const code = block?.[1];
  if (code === undefined || others.length > 0) throw new Error('a README holds one block of TypeScript');
  const printed = [...code.matchAll(PRINTED)].map(([, text]) => text);
  if (printed.length === 0) throw new Error('the example of a README says nothing of what it prints');
  return { code, prints: oneLine(printed.join(' ')) };
}

/** A text with blanks and line ends as one blank each. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
