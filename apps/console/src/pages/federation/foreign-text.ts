import { html, type Markup } from '@vestibule/http/pages';

/** Characters of a value that are shown by default; statements of other entities may contain texts of any length. */
const MOST_CHARACTERS = 300;

/** Characters that are invisible, break lines or change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Renders text of another party: cut, with invisible characters as escapes, and isolated from the text around it. */
export function foreignText(text: string, most = MOST_CHARACTERS): Markup {
  const shown = text
    .slice(0, most)
    .replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
  return html`<bdi>${shown}</bdi>${cutNote(text, most)}`;
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
