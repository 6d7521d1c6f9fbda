declare const markupBrand: unique symbol;

/** Text that is markup; comes from {@link html}, and from our own style sheets and scripts. */
export type Markup = { readonly text: string; readonly [markupBrand]: true };

/** What may stand in a template: everything but markup is escaped. */
export type Part = string | Markup | readonly Markup[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes markup of a template; whatever is put into it stands there as text, in elements and in quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = template.reduce((before, literal, index) => before + written(parts[index - 1]) + literal);
  return { text } as Markup;
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'text' in part ? part.text : part.map(({ text }) => text).join('');
}
