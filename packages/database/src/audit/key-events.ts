import type { Prisma } from '../lazy-prisma.js';
import type { Author } from './author.js';

/** The audit event of a change to a key. It contains nothing of the key itself. */
export interface KeyEvent {
  readonly action: string;
  readonly target: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** Builds the statements that record a change, for the transaction of the change; none without an author. */
export function keyEvents(
  prisma: Prisma,
  author: Author | undefined,
  event: KeyEvent,
): readonly ReturnType<Prisma['auditEvent']['create']>[] {
  if (author === undefined) return [];
  const { actor, clock } = author;
  return [prisma.auditEvent.create({ data: { occurredAt: new Date(clock.nowMs()), actor, ...event } })];
}
