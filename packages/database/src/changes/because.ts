import type { ChangeReason } from '@vestibule/tokens/changes';

/**
 * Builds the item of a FROM list that gives the reason of what the statement ends, for the triggers that note it. It
 * must be in the part of the statement that finds the rows.
 */
export function because(reason: ChangeReason): string {
  return `(SELECT ${reasonSetting(reason)}) AS cause`;
}

/** Builds the expression that gives the reason, for a statement without such a part. */
export function reasonSetting(reason: ChangeReason): string {
  return `set_config('vestibule.change_reason', '${reason}', true)`;
}
