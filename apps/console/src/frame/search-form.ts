import { html, type Markup } from '@vestibule/http/pages';
import { joined, link } from './parts.js';

/** A form that shows a page with other query parameters. */
export interface SearchForm {
  /** Path of the page. */
  readonly action: string;
  readonly content: Markup;
  /** Text of the button. */
  readonly button: string;
}

/** Renders a form that shows a page. */
export function searchForm({ action, content, button }: SearchForm): Markup {
  return html`<form method="get" action="${action}">
<div class="filters">
${content}
</div>
<div class="actions"><button>${button}</button></div>
</form>`;
}

/** Addresses of the pages beside a page of a list. */
export interface ListNeighbours {
  readonly newer?: string | undefined;
  readonly older?: string | undefined;
}

/** Renders the links to the pages beside a page of a list, newest first. */
export function listNavigation({ newer, older }: ListNeighbours): Markup | undefined {
  if (newer === undefined && older === undefined) return undefined;
  return html`<nav aria-label="Pages of the list" class="actions">
${joined(newer === undefined ? undefined : link(newer, 'Newer'), older === undefined ? undefined : link(older, 'Older'))}
</nav>`;
}
