import type { ObtainPrisma } from '../lazy-prisma.js';
import type { Author } from './author.js';

/** An audit event of a program about itself, where no statement of the store makes a change. */
export interface ProgramEvent {
  /** `console.logged_in`, for example. */
  readonly action: string;
  readonly target: string;
  /** Without secrets. */
  readonly details: Readonly<Record<string, string>>;
}

/** Records audit events of a program. */
export interface ProgramEvents {
  /** Records an event, with the time of the author's clock. @returns its identifier */
  record(event: ProgramEvent): Promise<bigint>;
}

/** Creates the recorder of an author's events. */
export function programEvents(obtainPrisma: ObtainPrisma, { actor, clock }: Author): ProgramEvents {
  return {
    record: async (event) => {
      const { auditEvent } = await obtainPrisma();
      const data = { occurredAt: new Date(clock.nowMs()), actor, ...event };
      return (await auditEvent.create({ data, select: { id: true } })).id;
    },
  };
}
