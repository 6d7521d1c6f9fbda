import { readFile } from 'node:fs/promises';
import { Command, Option } from '@commander-js/extra-typings';
import { rehearseEntity } from '@vestibule/federation-service';
import type { Cli } from '../../frame/cli.js';
import { failed } from '../../frame/command-failure.js';
import type { CommandFactory } from '../../frame/command-group.js';
import { withExamples } from '../../frame/examples.js';
import { tellExplanation } from './explain.js';
import { withFederation } from './with-federation.js';

const MAX_BYTES = 1_048_576;

/** The forms of a registration request. */
const FORMS = {
  statement: 'application/entity-statement+jwt',
  chain: 'application/trust-chain+json',
  older: 'application/jose',
} as const;

/** `vestibule federation register` */
export const registerEntity: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Judges a registration request of an entity exactly as the federation registration endpoint would, and explains the outcome. Registering itself is for the entity to do. Ends with 1 when it would be refused.',
      )
      .argument('<file>', 'the request as the entity would send it; - for standard input')
      .requiredOption('--dry-run', 'judge and explain; nothing is registered')
      .addOption(
        new Option('--form <form>', 'what the file holds')
          .choices(['statement', 'chain', 'older'] as const)
          .default('statement' as const),
      )
      .action(async (path, { form }) => {
        const body = (await readRequest(cli, path)).trim();
        await withFederation(cli, async (federation) => {
          tellExplanation(cli, await rehearseEntity(federation, { mediaType: FORMS[form], body }));
        });
      }),
    ['federation register --dry-run statement.jwt', 'what would become of a request'],
  );

async function readRequest(cli: Cli, path: string): Promise<string> {
  if (path === '-') return cli.readInput(MAX_BYTES);
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw failed('The file cannot be read.', error);
  });
}
