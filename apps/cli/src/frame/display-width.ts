/** Combining marks, later parts of Hangul syllables, and skin tones. */
const NO_CELL = /[\p{Mn}\p{Me}\u{1160}-\u{11ff}\p{Emoji_Modifier}]/u;

/** Half-width forms, and regional indicators, two of which make a flag. */
const ONE_CELL = /[\u{ff61}-\u{ffdc}\u{ffe8}-\u{ffee}\p{Regional_Indicator}]/u;

const TWO_CELLS =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\p{sc=Yi}\p{Emoji_Presentation}\u{3000}-\u{303e}\u{30fb}\u{30fc}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]/u;

/**
 * Returns the number of terminal cells of a text: two for East Asian characters and emoji, none for combining marks.
 */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += cellsOf(character);
  return cells;
}

/** Cuts a text to a number of cells, with an ellipsis if it is longer. */
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
