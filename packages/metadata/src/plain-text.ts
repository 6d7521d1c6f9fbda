// Fast path: most strings are printable ASCII.
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// Controls, line and paragraph separators, and characters that reorder or hide text (Unicode UTR 36 section 2.5).
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}]/u;

// A letter or mark of a script that has joiners in ordinary words: Arabic, Syriac, Mongolian and N'Ko, and those of
// India, Sri Lanka, Myanmar and Cambodia.
const JOINED = String.raw`(?=[\p{L}\p{M}])[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}]`;

// Signs that suppress the vowel of a letter; a joiner after one changes its shape (RFC 5892 appendix A).
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2]`;

// An emoji with its style selector or skin tone modifier.
const EMOJI = String.raw`\p{Extended_Pictographic}[\ufe0e\ufe0f\p{Emoji_Modifier}]?`;

/** Invisible characters that writing needs: with their emoji, or one of them after its letter. */
const NEEDED = new RegExp(
  [
    // The flags of England, Scotland and Wales; families, professions and the like (Unicode UTS 51 section 2).
    String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
    String.raw`${EMOJI}(?:\u200d${EMOJI})*`,
    String.raw`[0-9#*]\ufe0f\u20e3`,
    String.raw`(?<=${VIRAMA})[\u200c\u200d]`,
    String.raw`(?<=${JOINED})[\u200c\u200d](?=${JOINED})`,
    // Variants of ideographs, as in Japanese names (Unicode UTS 37), and of Mongolian letters.
    String.raw`(?<=\p{scx=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{scx=Mong})[\u180b-\u180d\u180f]`,
  ].join('|'),
  'gu',
);

/**
 * Whether a string displays as what it contains: no control, format, bidirectional override or invisible characters,
 * except for joiners and variation selectors where a script or an emoji needs them (RFC 5892 appendix A, Unicode UTS
 * 51).
 */
export function isPlainText(text: string): boolean {
  if (PRINTABLE_ASCII.test(text) || !DECEPTIVE.test(text)) return true;
  return !DECEPTIVE.test(text.replace(NEEDED, ''));
}

// Spaces, invisible characters, the blank braille pattern and the musical null notehead.
const BLANK = /^[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]*$/u;

/** Whether a string displays as nothing: it is empty, or all of its characters are invisible or look like spaces. */
export function isBlankText(text: string): boolean {
  return BLANK.test(text);
}
