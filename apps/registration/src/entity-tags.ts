import type { EntityTagCondition } from '@vestibule/clients';

/** One entity tag of a list, with the comma that may follow (RFC 9110 sections 5.6.1 and 8.8.3). */
const LISTED_TAG = /[ \t]*(?:(W\/)?"([!#-~\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** What a condition names, and whether a tag that is weak counts. */
export interface EntityTags {
  /** For `If-Match`: a weak tag promises too little (RFC 9110 section 13.1.1). */
  readonly strong: EntityTagCondition;
  /** For `If-None-Match`: weak or not is the same (RFC 9110 section 13.1.2). */
  readonly weak: EntityTagCondition;
}

/**
 * Reads `If-Match` or `If-None-Match`: `*` or a list of entity tags. A value that is neither names no tag, so that
 * nothing is changed under a condition that nobody understands. `undefined` when there is no condition.
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

/** A strong entity tag as `ETag` shows it. */
export function formatEntityTag(tag: string): string {
  return `"${tag}"`;
}
