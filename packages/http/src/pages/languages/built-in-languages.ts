import { BUILT_IN_DIRECTIONS, type BuiltInTag, type Direction } from './built-in-directions.js';
import { COMMON_MESSAGES, type CommonMessages } from './common-messages.js';

/** A page language: its direction and all messages of a set of pages. */
export interface Language<Messages> {
  readonly direction: Direction;
  readonly messages: Messages;
}

/** Languages by BCP 47 tag in lower case. */
export type Languages<Messages> = ReadonlyMap<string, Language<Messages>>;

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
