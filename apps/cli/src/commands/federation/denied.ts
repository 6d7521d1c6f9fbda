import { Command } from '@commander-js/extra-typings';
import type { DeniedEntityEntry, FederationRecords } from '@vestibule/database';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule federation denied` */
export const listDenied: CommandFactory = (cli) =>
  withExamples(
    new Command().description('Lists the entities on the deny list.').action(() =>
      withDatabase(cli, async ({ database }) => {
        await cli.terminal.list(rowsOf(database.federation), COLUMNS, 'No entity is denied.');
      }),
    ),
    ['federation denied', 'list denied entities with the reasons'],
  );

async function* rowsOf(records: Pick<FederationRecords, 'denied'>) {
  for (const entry of await records.denied()) yield rowOf(entry);
}

function rowOf({ entityId, deniedAt, reason }: DeniedEntityEntry) {
  return { entity_id: entityId, denied_at: deniedAt, ...(reason !== undefined && { reason }) };
}

type Row = ReturnType<typeof rowOf>;

const COLUMNS = [
  { title: 'ENTITY', cell: ({ entity_id }: Row) => entity_id },
  { title: 'SINCE', cell: ({ denied_at }: Row) => timeText(denied_at) },
  { title: 'REASON', cell: ({ reason }: Row) => reason, isCut: true },
];
