import { Argument, Command } from '@commander-js/extra-typings';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { withStore } from '../../installation/with-store.js';
import { keyChanges } from '../../keys/key-changes.js';
import { algorithmOption, publishedOption } from '../../keys/key-options.js';
import { keyIdentifier, RING_NAMES } from '../../keys/key-rings.js';
import { prepareSuccessors, waitUntil } from '../../keys/rotation.js';

/** `vestibule keys rotate` */
export const keysRotate: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Replaces the keys of a ring: makes new ones, waits until every reader can have them, and uses them. For key pairs that takes KEY_SET_MAX_AGE_SECONDS (as the services have it) and a minute, for data keys a minute. Can be interrupted: the same command goes on with the keys that it made. Keys of a federation entity are rotated by keys generate and keys activate, since its superiors list the new one in between.',
      )
      .addArgument(new Argument('<ring>', 'the ring of the keys').choices(RING_NAMES))
      .addOption(algorithmOption('only key pairs of this algorithm; every algorithm in use unless set'))
      .addOption(publishedOption())
      .option(
        '--now',
        'after a compromise: uses new key pairs without waiting, and stops publishing all earlier ones, also those pending or retired, so that nothing that they signed verifies any more',
      )
      .addOption(actorOption())
      .action((ring, { algorithm, publishedSeconds, now: isUrgent = false, actor }) =>
        withStore(cli, async (installation) => {
          const changes = keyChanges(installation, actor);
          const { clock } = installation.store;
          const wanted = { ring, algorithm, isUrgent };
          const { keys, exposed, usableAtMs } = await prepareSuccessors(installation, changes, wanted);
          if (usableAtMs > clock.nowMs())
            cli.terminal.note(
              `The new keys are used at ${timeText(Math.ceil(usableAtMs / 1000))}, when every reader has them. Interrupted, the same command goes on.`,
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
    ['keys rotate provider --algorithm ES256 --now', 'replace a key that others may know'],
    ['keys rotate seal', 'replace the key that seals secrets'],
  );
