import { Command } from '@commander-js/extra-typings';
import type { ClientBlock, ClientBlocks } from '@vestibule/clients/blocks';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule clients blocks` */
export const listBlocks: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description('Lists the blocks, and whether every client that they covered has been deleted.')
      .action(() =>
        withDatabase(cli, async ({ database }) => {
          await cli.terminal.list(rowsOf(database.clientBlocks), COLUMNS, 'Nothing is blocked.');
        }),
      ),
    ['clients blocks', 'list the blocks with their reasons'],
  );

async function* rowsOf(blocks: Pick<ClientBlocks, 'list'>) {
  for (const block of await blocks.list()) yield rowOf(block);
}

function rowOf({ kind, value, reason, blockedAt, endedAt }: ClientBlock) {
  return {
    kind,
    value,
    blocked_at: blockedAt,
    ...(endedAt !== undefined && { clients_deleted_at: endedAt }),
    ...(reason !== undefined && { reason }),
  };
}

type Row = ReturnType<typeof rowOf>;

const COLUMNS = [
  { title: 'KIND', cell: ({ kind }: Row) => kind },
  { title: 'VALUE', cell: ({ value }: Row) => value },
  { title: 'SINCE', cell: ({ blocked_at }: Row) => timeText(blocked_at) },
  { title: 'DELETED', cell: ({ clients_deleted_at }: Row) => timeText(clients_deleted_at) },
  { title: 'REASON', cell: ({ reason }: Row) => reason, isCut: true },
];
