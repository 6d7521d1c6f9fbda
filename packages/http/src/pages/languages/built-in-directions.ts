/** Text direction. */
export type Direction = 'ltr' | 'rtl';

/** Built-in languages of every set of pages, with their directions. */
export const BUILT_IN_DIRECTIONS = {
  ar: 'rtl',
  de: 'ltr',
  en: 'ltr',
  es: 'ltr',
  fr: 'ltr',
  he: 'rtl',
  it: 'ltr',
  ja: 'ltr',
  nl: 'ltr',
  pl: 'ltr',
  pt: 'ltr',
  'pt-br': 'ltr',
  tr: 'ltr',
  uk: 'ltr',
  zh: 'ltr',
  'zh-tw': 'ltr',
} as const satisfies Readonly<Record<string, Direction>>;

/** Tag of a built-in language. */
export type BuiltInTag = keyof typeof BUILT_IN_DIRECTIONS;
