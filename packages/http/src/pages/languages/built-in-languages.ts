import { COMMON_MESSAGES, type CommonMessages } from './common-messages.js';

/** Text direction. */
export type Direction = 'ltr' | 'rtl';

/** A page language: its direction and all messages of a set of pages. */
export interface Language<Messages> {
  readonly direction: Direction;
  readonly messages: Messages;
}

/** Languages by BCP 47 tag in lower case. */
export type Languages<Messages> = ReadonlyMap<string, Language<Messages>>;

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

/** Combines the messages of a set of pages with those that all pages share, for every language. */
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
