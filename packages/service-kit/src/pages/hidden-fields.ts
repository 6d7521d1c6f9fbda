import { html, type Markup } from './html.js';

/** Fields that a form sends along unseen. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): readonly Markup[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">\n`],
  );
}
