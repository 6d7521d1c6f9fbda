import { COMMON_MESSAGES, type CommonMessages } from './common-messages.js';

/** Which way text runs. */
export type Direction = 'ltr' | 'rtl';

/** A language that pages can be shown in: its direction, and every sentence of a set of pages. */
export interface Language<Messages> {
  readonly direction: Direction;
  readonly messages: Messages;
}

/** The languages that there are, by BCP 47 tag in lower case. */
export type Languages<Messages> = ReadonlyMap<string, Language<Messages>>;

/** The languages that every set of pages has, with their directions. */
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

/** The tag of a language that every set of pages has. */
export type BuiltInTag = keyof typeof BUILT_IN_DIRECTIONS;

/** The languages of a set of pages: its own sentences, with those that all pages share. */
export function builtInLanguages<Own>(
  own: Readonly<Record<BuiltInTag, Own>>,
): Languages<Own & CommonMessages> {
  const tags = Object.keys(BUILT_IN_DIRECTIONS) as BuiltInTag[];
  return new Map(
    tags.map((tag) => [
      tag,
      { direction: BUILT_IN_DIRECTIONS[tag], messages: { ...COMMON_MESSAGES[tag], ...own[tag] } },
    ]),
  );
}
