import type { EntityTagCondition } from '@vestibule/clients';

/** One entity tag of a list, with the comma that may follow (RFC 9110 sections 5.6.1 and 8.8.3). */
const LISTED_TAG = /[ \t]*(?:(W\/)?"([!#-~\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The tags that a condition names, with and without weak ones. */
export interface EntityTags {
  /** For `If-Match`: weak tags never match (RFC 9110 section 13.1.1). */
  readonly strong: EntityTagCondition;
  /** For `If-None-Match`: weak tags match like strong ones (RFC 9110 section 13.1.2). */
  readonly weak: EntityTagCondition;
}

/**
 * Parses `If-Match` or `If-None-Match`: `*` or a list of entity tags. Any other value names no tag, so a condition that
 * cannot be parsed never permits a change. `undefined` without a header.
 */
export function parseEntityTags(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return { strong: '*', weak: '*' };
  const strong: string[] = [];
  const weak: string[] = [];
  LISTED_TAG.lastIndex = 0;
  while (LISTED_TAG.lastIndex < header.length) {
    const match = LISTED_TAG.exec(header);
    if (match === null) return { strong: [], weak: [] };
    const [, weakness, tag] = match;
    if (tag === undefined) continue;
    weak.push(tag);
    if (weakness === undefined) strong.push(tag);
  }
  return { strong, weak };
}

/** Formats a strong entity tag for `ETag`. */
export function formatEntityTag(tag: string): string {
  return `"${tag}"`;
}
