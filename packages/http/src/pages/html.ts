declare const markupBrand: unique symbol;

/** Trusted markup, from {@link html} or from built-in style sheets and scripts. */
export type Markup = { readonly text: string; readonly [markupBrand]: true };

/** A template value; everything except markup is escaped. */
export type Part = string | Markup | readonly Markup[] | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag for markup. Values are escaped, in elements and in quoted attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = template.reduce((before, literal, index) => before + written(parts[index - 1]) + literal);
  return { text } as Markup;
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return part.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'text' in part ? part.text : part.map(({ text }) => text).join('');
}

/** Renders hidden form fields. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): readonly Markup[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`],
  );
}
