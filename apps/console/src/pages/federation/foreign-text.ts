import { html, type Markup } from '@vestibule/http/pages';
import { escapedText } from '../../frame/shown-text.js';

/** Characters of a value that are shown by default; statements of other entities may contain texts of any length. */
const MOST_CHARACTERS = 300;

/** Renders text of another party: cut, with invisible characters as escapes, and isolated from the text around it. */
export function foreignText(text: string, most = MOST_CHARACTERS): Markup {
  return html`<bdi>${escapedText(text.slice(0, most))}</bdi>${cutNote(text, most)}`;
}

/** Renders a JSON value of another party like {@link foreignText}; `undefined` as a word. */
export function foreignJson(value: unknown, most = MOST_CHARACTERS): Markup {
  if (value === undefined) return html`<span class="none">absent</span>`;
  return html`<code>${foreignText(JSON.stringify(value), most)}</code>`;
}

/** Renders an entity identifier, which is a URL in ASCII; it is never a link. */
export function entityText(entityId: string): Markup {
  return html`<code>${foreignText(entityId)}</code>`;
}

function cutNote(text: string, most: number): Markup | undefined {
  return text.length > most
    ? html` <span class="none">… (${String(text.length)} characters)</span>`
    : undefined;
}
