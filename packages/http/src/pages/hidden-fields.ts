import { html, type Markup } from './html.js';

/** Renders hidden form fields. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): readonly Markup[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`],
  );
}
