import type { ProgramEvent } from './program-events.js';

/** Most characters of a member of a selection in its record. */
const MAX_LENGTH = 500;

/**
 * The audit event of an export of audit events.
 * @param selection which events were selected; members without a value are left out
 */
export function exportRecord(selection: Readonly<Record<string, string | undefined>>): ProgramEvent {
  const details: Record<string, string> = {};
  for (const [name, value] of Object.entries(selection))
    if (value !== undefined) details[name] = beginningOf(value);
  return { action: 'audit.exported', target: 'audit', details };
}

function beginningOf(text: string): string {
  // A character has one or two units, and must not be cut in halves.
  return [...text.slice(0, 2 * MAX_LENGTH)].slice(0, MAX_LENGTH).join('');
}
