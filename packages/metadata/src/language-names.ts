import { CHOICE_MEMBERS } from './choice-members.js';
import { LANGUAGE_TAGGED_MEMBERS, MEMBER_NAMES } from './metadata-schema.js';

/** A member name split at its first `#` (RFC 7591 section 2.2), not validated. */
export interface LanguageName {
  readonly member: string;
  /** `undefined` if the name has no language tag. */
  readonly tag: string | undefined;
}

// RFC 5646 section 2.1, simplified: subtags of at most eight characters.
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/;

const MEMBERS: ReadonlySet<string> = new Set([...MEMBER_NAMES, ...CHOICE_MEMBERS.keys()]);

/** Splits a member name: `client_name#de` is `client_name` in the language `de`. */
export function readLanguageName(name: string): LanguageName {
  const mark = name.indexOf('#');
  return mark === -1
    ? { member: name, tag: undefined }
    : { member: name.slice(0, mark), tag: name.slice(mark + 1) };
}

/** Returns the member that a language-tagged name repeats; `undefined` for any other name. */
export function taggedMember(name: string): (typeof LANGUAGE_TAGGED_MEMBERS)[number] | undefined {
  const { member, tag } = readLanguageName(name);
  if (tag === undefined || !LANGUAGE_TAG.test(tag)) return undefined;
  return LANGUAGE_TAGGED_MEMBERS.find((tagged) => tagged === member);
}

/** Whether a member of a registration is known, language-tagged or not. */
export function isMetadataMember(name: string): boolean {
  return MEMBERS.has(name) || taggedMember(name) !== undefined;
}

/** Normalizes a member name: language tags are case-insensitive (RFC 5646 section 2.1.1), member names are not. */
export function languageName(name: string): string {
  const { member, tag } = readLanguageName(name);
  return tag === undefined ? member : `${member}#${tag.toLowerCase()}`;
}
