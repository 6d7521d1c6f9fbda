import { Argument, Command } from '@commander-js/extra-typings';
import { keyIdentifier, RING_NAMES } from '@vestibule/crypto/key-rings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { timeText } from '../../frame/plain-text.js';
import { withStore } from '../../installation/with-store.js';
import { recordedKeyChanges } from '../../keys/key-changes.js';
import { algorithmOption, publishedOption } from '../../keys/key-options.js';
import { prepareSuccessors, waitUntil } from '../../keys/rotation.js';

/** `vestibule keys rotate` */
export const keysRotate: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'For key pairs this takes KEY_SET_MAX_AGE_SECONDS (as set for the services) plus a minute, for data keys a minute.',
      'If it is interrupted, run the same command again: it continues with the keys that it created.',
      'Rotate federation keys with keys generate and keys activate instead, because the superiors have to list the new key in between.',
    ])
      .description(
        'Replaces the keys of a ring: creates new ones, waits until every reader can have them, and activates them.',
      )
      .addArgument(new Argument('<ring>', 'the ring of the keys').choices(RING_NAMES))
      .addOption(algorithmOption('only key pairs of this algorithm; default: every algorithm in use'))
      .addOption(publishedOption())
      .option(
        '--now',
        'after a compromise: activate new key pairs without waiting, and stop publishing all earlier ones, including pending and retired ones, so that nothing they signed verifies any more',
      )
      .addOption(actorOption())
      .action((ring, { algorithm, publishedSeconds, now: isUrgent = false, actor }) =>
        withStore(cli, async (installation) => {
          const changes = recordedKeyChanges(installation, actor);
          const { clock } = installation.store;
          const wanted = { ring, algorithm, isUrgent };
          const { keys, exposed, usableAtMs } = await prepareSuccessors(installation, changes, wanted);
          if (usableAtMs > clock.nowMs())
            cli.terminal.note(
              `The new keys become active at ${timeText(Math.ceil(usableAtMs / 1000))}, when every reader has them. If interrupted, run the same command again to continue.`,
            );
          await waitUntil(usableAtMs, clock, cli.terminal);
          const publication = isUrgent
            ? { publishedSeconds: 0, atOnce: true }
            : { publishedSeconds, atOnce: false };
          for (const key of keys) await changes.activate(key, publication);
          for (const key of exposed) await changes.retire(key, publication);
          cli.terminal.show(
            keys.map((key) => ({ id: keyIdentifier(key), state: 'active' })),
            [
              ...keys.map((key) => `The key ${keyIdentifier(key)} is active.`),
              ...(ring === 'seal' ? ['Next, after a minute: vestibule keys rewrap'] : []),
            ],
          );
        }),
      ),
    ['keys rotate provider', 'replace the keys that sign tokens'],
    ['keys rotate provider --algorithm ES256 --now', 'replace a compromised key'],
    ['keys rotate seal', 'replace the key that encrypts stored secrets'],
  );
