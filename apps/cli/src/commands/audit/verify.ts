import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ChainHead } from '@vestibule/database';
import { chainHeadText, parseChainHead } from '@vestibule/database/audit';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { positionValue } from '../../frame/option-values.js';
import { fieldLines } from '../../frame/table.js';
import { withDatabase } from '../../installation/with-database.js';

/** `vestibule audit verify` */
export const auditVerify: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'Events cut off at the end are detected only by comparison with a head that was recorded elsewhere.',
      'Services log the head (auditPosition, auditHash) each time they chain events, and every second while many events wait.',
      'Exits with 1 if the chain is broken.',
    ])
      .description(
        'Follows the hash chain of the audit events and checks that every event is present and unchanged.',
      )
      .addOption(
        new Option('--from <position>', 'first position to verify').argParser(positionValue).default(1n, '1'),
      )
      .addOption(new Option('--to <position>', 'last position to verify').argParser(positionValue))
      .addOption(
        new Option('--head <position:hash>', 'a recorded head that must be in the chain').argParser(
          headValue,
        ),
      )
      .action(({ from, to, head }) =>
        withDatabase(cli, async ({ database }) => {
          const progress = cli.terminal.progress('Verifying audit events');
          const verdict = await database
            .verifyAuditChain({ from, ...(to !== undefined && { to }), head, onProgress: progress.report })
            .finally(progress.end);
          if (verdict.intact) {
            const { count, head: end } = verdict;
            const noted = end && { position: end.position.toString(), hash: end.hash };
            cli.terminal.show({ intact: true, count, head: noted ?? null }, [
              ...fieldLines({ Chain: 'intact', 'Events verified': count }),
              ...(end === undefined ? [] : fieldLines({ 'Record this head': chainHeadText(end) })),
            ]);
            return;
          }
          const { position, reason } = verdict;
          cli.terminal.show({ intact: false, position: position.toString(), reason }, [
            `The chain is broken: the event at position ${position} is ${reason}.`,
          ]);
          cli.exitWith(EXIT.failed);
        }),
      ),
    ['audit verify', 'verify the whole chain'],
    ['audit verify --head 1204:9f86d0…', 'also check that nothing was cut off since that head was recorded'],
  );

function headValue(text: string): ChainHead {
  const head = parseChainHead(text);
  if (head === undefined)
    throw new InvalidArgumentError('It must be a position, a colon and 64 hexadecimal digits.');
  return head;
}
