import { html, type Markup } from '@vestibule/http/pages';
import type { JsonValue } from '@vestibule/protocol/json';
import { dataTable, instant } from '../../frame/parts.js';
import { shownText } from '../../frame/shown-text.js';

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time']);

/** The last second of the year 9999, which can be written as a date. */
const LAST_SECOND = 253_402_300_799;

/** Most characters of a value. */
const VALUE_LENGTH = 1_000;

/** Renders the members of a JSON object, such as the claims of a token. */
export function claimsTable(
  caption: string,
  claims: Readonly<Record<string, JsonValue | undefined>>,
): Markup {
  const present = Object.entries(claims).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return dataTable(
    caption,
    [
      { title: 'Member', cell: ({ name }) => html`<code>${shownText(name)}</code>` },
      { title: 'Value', cell: ({ name, value }) => claimValue(name, value) },
    ],
    present,
    'There are none.',
  );
}

function claimValue(name: string, value: JsonValue): Markup {
  const text = shownText(typeof value === 'string' ? value : JSON.stringify(value), VALUE_LENGTH);
  const isTime = TIMES.has(name) && typeof value === 'number' && value >= 0 && value <= LAST_SECOND;
  const time = isTime ? html` (${instant(new Date(value * 1_000))})` : undefined;
  return html`<code>${text}</code>${time}`;
}
