import { Command, Option } from '@commander-js/extra-typings';
import { dryRunEntity } from '@vestibule/federation-service';
import type { CommandFactory } from '../../frame/cli.js';
import { withExamples } from '../../frame/examples.js';
import { readTextFile } from '../../frame/read-file.js';
import { printExplanation } from './explain.js';
import { withFederation } from './with-federation.js';

const MAX_BYTES = 1_048_576;

/** Media types of the formats of a registration request. */
const FORMS = {
  statement: 'application/entity-statement+jwt',
  chain: 'application/trust-chain+json',
  draft: 'application/jose',
} as const;

/** `vestibule federation register` */
export const registerEntity: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Checks a registration request of an entity exactly as the federation registration endpoint does, and explains the result. Only the entity itself can register. Exits with 1 if the request would be refused.',
      )
      .argument('<file>', 'file with the request body as the entity would send it; - for standard input')
      .requiredOption('--dry-run', 'check and explain; registers nothing')
      .addOption(
        new Option('--form <form>', 'format of the file')
          .choices(['statement', 'chain', 'draft'] as const)
          .default('statement' as const),
      )
      .action(async (path, { form }) => {
        const text = path === '-' ? await cli.readInput(MAX_BYTES) : await readTextFile(path, MAX_BYTES);
        const body = text.trim();
        await withFederation(cli, async (federation) => {
          printExplanation(cli, await dryRunEntity(federation, { mediaType: FORMS[form], body }));
        });
      }),
    ['federation register --dry-run statement.jwt', 'check a registration request'],
  );
