import { LANGUAGE_TAGGED_MEMBERS, MEMBER_NAMES } from './metadata-schema.js';

/** A name of a member taken apart at its first `#` (RFC 7591 section 2.2); nothing is known of either part. */
export interface LanguageName {
  readonly member: string;
  /** `undefined` where the member is not repeated in a language. */
  readonly tag: string | undefined;
}

// RFC 5646 section 2.1, loosely: subtags of at most eight characters.
const LANGUAGE_TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}$/;

const MEMBERS: ReadonlySet<string> = new Set(MEMBER_NAMES);

/** Takes the name of a member apart: `client_name#de` is `client_name` in the language `de`. */
export function readLanguageName(name: string): LanguageName {
  const mark = name.indexOf('#');
  return mark === -1
    ? { member: name, tag: undefined }
    : { member: name.slice(0, mark), tag: name.slice(mark + 1) };
}

/** The member that a language-tagged name repeats; `undefined` for every other name. */
export function taggedMember(name: string): (typeof LANGUAGE_TAGGED_MEMBERS)[number] | undefined {
  const { member, tag } = readLanguageName(name);
  if (tag === undefined || !LANGUAGE_TAG.test(tag)) return undefined;
  return LANGUAGE_TAGGED_MEMBERS.find((tagged) => tagged === member);
}

/** Whether a member of a registration is understood, in a language or without. */
export function isMetadataMember(name: string): boolean {
  return MEMBERS.has(name) || taggedMember(name) !== undefined;
}

/**
 * The one spelling of a member's name, language-tagged or not: letters of tags are the same in either case (RFC 5646
 * section 2.1.1), letters of members are not.
 */
export function languageName(name: string): string {
  const { member, tag } = readLanguageName(name);
  return tag === undefined ? member : `${member}#${tag.toLowerCase()}`;
}
