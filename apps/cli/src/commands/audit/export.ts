import { Command, Option } from '@commander-js/extra-typings';
import type { AuditRecord } from '@vestibule/database';
import { type ExportedEvent, exportedEvent, exportRecord } from '@vestibule/database/audit';
import { systemClock } from '@vestibule/protocol';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { positionValue } from '../../frame/option-values.js';
import { timeText } from '../../frame/plain-text.js';
import type { Column } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule audit export` */
export const auditExport: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Exports audit events, oldest first: who did what to which client, token or key, and when. Contains no secrets. The export itself is recorded, as an event that only later exports contain. With --json the output is an array; with --ndjson it is one object per line, for archives.',
      )
      .addOption(new Option('--after <id>', 'only events after this one').argParser(positionValue))
      .option('--target <name>', 'only events about this target, as shown in the table')
      .addOption(new Option('--ndjson', 'print JSON, one event per line').conflicts('json'))
      .addOption(actorOption())
      .action(({ after, target, ndjson = false, actor }) =>
        withDatabase(cli, async ({ database }) => {
          const { programEvents } = database.actingAs({ actor, clock: systemClock });
          const before = await programEvents.record(exportRecord({ after: after?.toString(), target }));
          const events = database.auditEvents({
            before,
            ...(after !== undefined && { after }),
            ...(target !== undefined && { target }),
          });
          if (!ndjson) {
            await cli.terminal.list(records(events), COLUMNS, 'There are no such events.');
            return;
          }
          for await (const record of records(events)) cli.terminal.writeJson(record);
        }),
      ),
    ['audit export --ndjson > audit.ndjson', 'archive all events'],
    ['audit export --target client:wiki', 'show all changes of a client'],
  );

async function* records(events: AsyncIterable<AuditRecord>): AsyncGenerator<ExportedEvent> {
  for await (const event of events) yield exportedEvent(event);
}

const COLUMNS: readonly Column<ExportedEvent>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TIME', cell: ({ occurred_at: at }) => timeText(Math.floor(Date.parse(at) / 1000)) },
  { title: 'ACTOR', cell: ({ actor }) => actor },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'TARGET', cell: ({ target }) => target },
  { title: 'POSITION', cell: ({ position }) => position },
];
