/** Marks on the character before them, the later parts of Hangul syllables, and skin tones. */
const NO_CELL = /[\p{Mn}\p{Me}\u{1160}-\u{11ff}\p{Emoji_Modifier}]/u;

/** Half-width forms, and the letters of flags, of which two make one. */
const ONE_CELL = /[\u{ff61}-\u{ffdc}\u{ffe8}-\u{ffee}\p{Regional_Indicator}]/u;

const TWO_CELLS =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Yi}\p{Emoji_Presentation}\u{3000}-\u{303e}\u{30fb}\u{30fc}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]/u;

/** How many cells a text takes on a terminal: East Asian characters and pictures two, combining marks none. */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOf(character);
  return cells;
}

/** The text where it fits into so many cells, else its beginning with an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let beginning = '';
  let left = width - 1;
  for (const character of text) {
    left -= cellsOf(character);
    if (left < 0) break;
    beginning += character;
  }
  return `${beginning}…`;
}

function cellsOf(character: string): number {
  if (NO_CELL.test(character)) return 0;
  return TWO_CELLS.test(character) && !ONE_CELL.test(character) ? 2 : 1;
}
