/** A fenced block of a page. */
export interface PageBlock {
  /** The heading above it. */
  readonly heading: string;
  readonly language: string;
  /** What follows the language: the name of a file, or how a command runs. */
  readonly info: string;
  readonly text: string;
}

const HEADING_OR_BLOCK =
  /^#+ (?<heading>.*)$|^```(?<language>\w+)(?: (?<info>.*))?\n(?<text>[\s\S]*?)^```$/gm;

/** The fenced blocks of a page, in order. */
export function pageBlocks(page: string): readonly PageBlock[] {
  let current = '';
  const blocks: PageBlock[] = [];
  for (const { groups = {} } of page.matchAll(HEADING_OR_BLOCK)) {
    const { heading, language = '', info = '', text = '' } = groups;
    if (heading === undefined) blocks.push({ heading: current, language, info, text });
    else current = heading;
  }
  return blocks;
}

/** Replaces texts of a page, such as ports, in one pass: a port in place of another one may contain a third. */
export function replaceTexts(page: string, replaced: ReadonlyMap<string, string>): string {
  if (replaced.size === 0) return page;
  const names = [...replaced.keys()].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return page.replace(new RegExp(names.join('|'), 'g'), (found) => replaced.get(found) ?? found);
}
