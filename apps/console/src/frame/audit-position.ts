import type { AuditPosition } from '@vestibule/database/audit';

const POSITION = /^(\d{1,15})-(\d{1,18})$/;

/** Writes a position in the audit events into an address. */
export function positionText({ occurredAtMs, id }: AuditPosition): string {
  return `${occurredAtMs}-${id}`;
}

/** Reads a position from an address; `undefined` if it is not one. */
export function readPosition(text: string): AuditPosition | undefined {
  const [, occurredAtMs, id] = POSITION.exec(text) ?? [];
  return occurredAtMs === undefined || id === undefined
    ? undefined
    : { occurredAtMs: Number(occurredAtMs), id };
}
