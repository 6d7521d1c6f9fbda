import type { LanguageRequest } from '../../errors/error-table.js';
import type { Direction } from './built-in-directions.js';
import type { Languages } from './built-in-languages.js';

/** The language of one page. */
export interface Locale<Messages> {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly direction: Direction;
  readonly messages: Messages;
  /**
   * Preferred tags of the end-user in lower case, best first, including those without a page. Used to choose client
   * names.
   */
  readonly preferred: readonly string[];
}

const MAX_TAGS = 10;
const MAX_TAG_LENGTH = 35;
/** Longer than any list of MAX_TAGS tags. */
const MAX_LIST_LENGTH = 1_000;
const TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;

const DEFAULT_TAG = 'en';

/** Aliases of tags: Traditional Chinese, its regions, and the old tag of Hebrew. */
const STANDS_FOR: ReadonlyMap<string, string> = new Map([
  ['zh-hant', 'zh-tw'],
  ['zh-hk', 'zh-tw'],
  ['zh-mo', 'zh-tw'],
  ['iw', 'he'],
]);

/**
 * Chooses the language of a page by `ui_locales`, then by `Accept-Language`: each tag, then its shorter forms (RFC 4647
 * section 3.4). Default English. At most ten tags of each are used, and nothing is stored.
 */
export function chooseLocale<Messages>(
  languages: Languages<Messages>,
  request: LanguageRequest,
): Locale<Messages> {
  const preferred = [...listed(request.uiLocales), ...accepted(request.acceptLanguage)];
  const found = preferred.flatMap(forms).find((tag) => languages.has(tag));
  const tag = found ?? DEFAULT_TAG;
  const language = languages.get(tag);
  if (language === undefined) throw new TypeError('there is no page in the default language');
  return {
    tag: new Intl.Locale(tag).toString(),
    ...language,
    preferred: [...new Set(found === undefined ? [tag] : [...preferred, tag])],
  };
}

function listed(text: string | undefined = ''): readonly string[] {
  return usable(text.slice(0, MAX_LIST_LENGTH).split(' '));
}

/** Parses the tags of `Accept-Language` by weight, then by position (RFC 9110 section 12.5.4). */
function accepted(header: string | undefined = ''): readonly string[] {
  const ranges = header.slice(0, MAX_LIST_LENGTH).split(',').slice(0, MAX_TAGS);
  const weighted = ranges.map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });
  const wanted = weighted.filter(({ weight }) => weight > 0 && weight <= 1);
  return usable(wanted.toSorted((a, b) => b.weight - a.weight).map(({ tag }) => tag));
}

function usable(tags: readonly string[]): readonly string[] {
  return tags
    .filter((tag) => tag !== '')
    .slice(0, MAX_TAGS)
    .filter((tag) => tag.length <= MAX_TAG_LENGTH && TAG.test(tag))
    .map((tag) => tag.toLowerCase());
}

/** Returns a tag and its shorter forms with aliases: `zh-hant-hk`, `zh-hant`, its alias `zh-tw`, and `zh`. */
function forms(tag: string): readonly string[] {
  const parts = tag.split('-');
  const shorter = parts.map((_part, index) => parts.slice(0, parts.length - index).join('-'));
  return shorter.flatMap((form) => [form, STANDS_FOR.get(form) ?? form]);
}
