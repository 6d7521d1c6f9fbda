/** The example of a README with its expected output. */
export interface ReadmeExample {
  readonly code: string;
  /** Whitespace counts as one space. */
  readonly prints: string;
}

const TYPESCRIPT_BLOCK = /^```ts\n([\s\S]*?)^```$/gm;

/** The output of a line is in a comment at its end, after an arrow. */
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

/** Replaces whitespace with single spaces. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
