import { Command } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import { secureRandom } from '@vestibule/crypto';
import { rewrapDataKeys } from '@vestibule/crypto/data-keys';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { fieldLines } from '../../frame/table.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';

/** `vestibule keys rewrap` */
export const keysRewrap: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Rewraps every data key with the first key in ENCRYPTION_KEYS, and reencrypts every stored secret that does not use the active data key. This is the last step of a rotation; afterwards the earlier keys are not needed any more. It can be interrupted and repeated under load. Exits with 1 if anything is left; run it again then.',
      )
      .option('--dry-run', 'only count what needs to be done')
      .addOption(actorOption())
      .action(({ dryRun = false, actor }) =>
        withStore(cli, async (installation) => {
          if (dryRun) return plan(cli, installation);
          const report = await rewrap(cli, installation, actor);
          cli.terminal.show({ dry_run: false, ...report }, [
            ...fieldLines({
              'Data keys wrapped': report.data_keys_wrapped,
              'Records reencrypted': report.reencrypted,
              'Records left': report.left,
              'Unreadable records': report.unreadable,
            }),
          ]);
          if (report.left > 0) cli.exitWith(EXIT.failed);
        }),
      ),
    ['keys rewrap --dry-run', 'see how much needs to be done'],
    ['keys rewrap', 'rewrap and reencrypt'],
  );

async function plan({ terminal }: Cli, { store, keyEncryptionKeys }: OpenKeysInstallation): Promise<void> {
  const keys = await store.database.dataKeys.list();
  const unwrapped = keys.filter((key) => key.keyEncryptionKeyId !== keyEncryptionKeys.activeId).length;
  const { left } = await store.reencrypt({ isPlan: true });
  terminal.show({ dry_run: true, data_keys_wrapped: 0, data_keys_due: unwrapped, reencrypted: 0, left }, [
    ...fieldLines({ 'Data keys to wrap': unwrapped, 'Records to reencrypt': left }),
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
  const progress = terminal.progress('Reencrypting', due.left);
  const report = await store.reencrypt({ onProgress: progress.report }).finally(progress.end);
  return { data_keys_wrapped: wrapped, ...report };
}
