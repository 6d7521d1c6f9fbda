import { Command, Option } from '@commander-js/extra-typings';
import { type EntityExplanation, explainEntity } from '@vestibule/federation-service';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { explanationLines } from './explanation-lines.js';
import { withFederation } from './with-federation.js';

/** `vestibule federation explain` */
export const explainTrust: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Shows every trust path from an entity to a configured trust anchor, the result of each, and what would be registered. Changes nothing. Exits with 1 if the entity could not register.',
      )
      .argument('<entity-id>')
      .addOption(
        new Option('--profile <profile>', 'profile in which its statements are read')
          .choices(['final', 'draft'] as const)
          .default('final' as const),
      )
      .action((sub, { profile }) =>
        withFederation(cli, async (federation) => {
          printExplanation(cli, await explainEntity(federation, { sub, profile }));
        }),
      ),
    ['federation explain https://rp.example.org', 'show why an entity may register or not'],
  );

/** Prints an explanation, and sets the exit code if the entity could not register. */
export function printExplanation(cli: Cli, explanation: EntityExplanation): void {
  cli.terminal.show(explanation, explanationLines(explanation));
  if (!('registration' in explanation)) cli.exitWith(EXIT.failed);
}
