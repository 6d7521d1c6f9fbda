import { Command } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import { rewrapDataKeys, secureRandom } from '@vestibule/crypto';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli } from '../../frame/cli.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { EXIT } from '../../frame/exit-code.js';
import { fieldLines } from '../../frame/table.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';

/** `vestibule keys rewrap` */
export const keysRewrap: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Wraps every data key under the first key of ENCRYPTION_KEYS, and seals every stored secret anew that is not under the data key in use: the last step of a rotation, after which earlier keys are needed no more. Can be stopped and run again beside any load. Ends with 1 while something is left, which another run makes up.',
      )
      .option('--dry-run', 'only count what is due')
      .addOption(actorOption())
      .action(({ dryRun = false, actor }) =>
        withStore(cli, async (installation) => {
          if (dryRun) return plan(cli, installation);
          const report = await rewrap(cli, installation, actor);
          cli.terminal.show({ dry_run: false, ...report }, [
            ...fieldLines({
              'Data keys wrapped': report.data_keys_wrapped,
              'Records sealed anew': report.reencrypted,
              'Records left': report.left,
              'of them unreadable': report.unreadable,
            }),
          ]);
          if (report.left > 0) cli.exitWith(EXIT.failed);
        }),
      ),
    ['keys rewrap --dry-run', 'see how much is to be done'],
    ['keys rewrap', 'do it'],
  );

async function plan({ terminal }: Cli, { store, keyEncryptionKeys }: OpenKeysInstallation): Promise<void> {
  const keys = await store.database.dataKeys.list();
  const unwrapped = keys.filter((key) => key.keyEncryptionKeyId !== keyEncryptionKeys.activeId).length;
  const { left } = await store.reencrypt({ isPlan: true });
  terminal.show({ dry_run: true, data_keys_wrapped: 0, data_keys_due: unwrapped, reencrypted: 0, left }, [
    ...fieldLines({ 'Data keys to wrap': unwrapped, 'Records to seal anew': left }),
  ]);
}

async function rewrap(
  { terminal }: Cli,
  { store, keyEncryptionKeys }: OpenKeysInstallation,
  actor: AuditActor,
) {
  const { dataKeys } = store.database.actingAs({ actor, clock: store.clock });
  const keys = { store: dataKeys, keyEncryptionKeys, clock: store.clock, random: secureRandom };
  const wrapped = await rewrapDataKeys(keys);
  const due = await store.reencrypt({ isPlan: true });
  const progress = terminal.progress('Sealing anew', due.left);
  const report = await store.reencrypt({ onProgress: progress.report }).finally(progress.end);
  return { data_keys_wrapped: wrapped, ...report };
}
