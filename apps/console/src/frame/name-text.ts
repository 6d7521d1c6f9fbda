import { html, type Markup } from '@vestibule/http/pages';

/** A name may wrap after these characters: `client.registered`, `access_token:7Q0b`, `https://rp.example/app`. */
const BETWEEN_PARTS = /(?<=[._:/])(?![._:/])/;

/** A longer part, such as an identifier, may also wrap each time after this many characters. */
const MAX_PART_LENGTH = 13;
const PIECE = new RegExp(`.{1,${MAX_PART_LENGTH}}`, 'gsu');

const ASCII = /^[ -~]*$/;
/** Other characters may be as wide as a column. */
const CHARACTER = /.\p{M}*/gsu;

/**
 * Renders a name, such as that of an action, for a narrow column: it wraps between its parts, and within a part only if
 * that is long. The element around it has the class `name`.
 */
export function nameText(name: string): Markup {
  const pieces = name
    .split(BETWEEN_PARTS)
    .flatMap((part) => part.match(ASCII.test(part) ? PIECE : CHARACTER) ?? []);
  return html`${pieces.map((piece, index) => (index === 0 ? html`${piece}` : html`<wbr>${piece}`))}`;
}
