import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { ClientOwner, OperatorActor } from '@vestibule/clients';
import type { Store } from '@vestibule/database';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { conflict, EXIT, misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { ownerOption } from '../../frame/owner-option.js';
import { fieldLines } from '../../frame/table.js';
import { type OperatorDeps, withRegistration } from '../clients/with-registration.js';
import { carryOut, type Outcome } from './carry-out.js';
import type { FileProblem } from './file-problem.js';
import { type LoadedClients, loadClients } from './load-clients.js';
import { makePlan, type Plan } from './plan.js';
import { planCounts, planJson, planLines, problemLines } from './plan-lines.js';
import { openSecretOutlet } from './secret-outlet.js';

/** Maximum number of problems in text output; JSON output has all. */
const MAX_SHOWN = 1_000;

/** `vestibule apply` */
export const applyFiles: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'A file (.yaml, .yml or .json) has one client or a list of clients, with client_id and the members of RFC 7591. What a file leaves out has its default. A file without a client is a problem, unless it has an empty list.',
      'The rules are those for registration with the master token. If a file has a problem, nothing is changed.',
      'Files own the clients that they create, under the name in --owner. Clients of another owner and clients without an owner are not changed; --adopt takes over the latter.',
      'It refuses --prune if that would delete every client of the owner, as a wrong folder would.',
      'Secrets do not belong in files. The secret of a new client is generated, and handed over as a line of JSON with client_id and client_secret: appended to the file in --secrets-file, which only you can read, or on the standard input of the shell command in --secrets-command, which runs once for each secret.',
      'Each client is changed separately: run an interrupted command again. It completes the rest, and hands over the secrets that were not handed over yet. The command of a killed run may get one secret again; the file does not.',
      'With --plan it exits with 5 if something would change. Without --plan it changes nothing unless --yes is given. It exits with 1 if a file or client has a problem, and with 4 while another run for the same owner is in progress.',
    ])
      .description(
        'Creates, changes and deletes clients so that they are as the files of a folder declare them.',
      )
      .argument('<folder>', 'folder with the files of clients')
      .addOption(ownerOption().makeOptionMandatory())
      .option('--plan', 'show what would change, but change nothing')
      .option('--prune', 'delete clients that the files own and no longer contain')
      .option('--adopt', 'take over clients that exist and have no owner')
      .option('--secrets-file <path>', 'file to append generated secrets to, with mode 0600')
      .addOption(
        new Option('--secrets-command <command>', 'shell command that takes a generated secret')
          .argParser(parseCommand)
          .conflicts('secretsFile'),
      )
      .option('--yes', 'confirm the changes; without it nothing is changed')
      .addOption(actorOption())
      .action(async (folder, { owner, actor, ...options }) => {
        const loaded = await loadClients(folder);
        const request = {
          folder,
          owner,
          operator: actor,
          adopts: options.adopt === true,
          prunes: options.prune === true,
          secrets: { file: options.secretsFile, command: options.secretsCommand },
        };
        if (request.prunes) refuseEmpty(loaded);
        await withRegistration(cli, async (deps, store) => {
          if (options.plan === true) await showPlan(cli, await planOf(cli, { deps, store }, loaded, request));
          else
            await applyAll(cli, { deps, store }, loaded, { ...request, isConfirmed: options.yes === true });
        });
      }),
    ['apply clients --owner shop --plan', 'show what would change'],
    [
      'apply clients --owner shop --prune --secrets-file ../new-secrets.ndjson --yes',
      'apply the files, and keep the secrets of new clients',
    ],
    [
      'apply clients --owner shop --secrets-command ./store-secret.sh --yes',
      'hand secrets to another program',
    ],
  );

// The shell runs an empty command successfully, and every secret would be lost.
function parseCommand(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
}

interface Installation {
  readonly deps: OperatorDeps;
  readonly store: Store;
}

interface ApplyRequest {
  readonly folder: string;
  readonly owner: ClientOwner;
  readonly operator: OperatorActor;
  readonly adopts: boolean;
  readonly prunes: boolean;
  readonly secrets: { readonly file: string | undefined; readonly command: string | undefined };
}

// A wrong path must not delete every client.
function refuseEmpty({ clients, problems }: LoadedClients): void {
  if (clients.size === 0 && problems.length === 0)
    throw misused('The folder has no clients, so --prune would delete all: use clients delete for that.');
}

async function planOf(
  cli: Cli,
  { deps, store }: Installation,
  loaded: LoadedClients,
  { prunes, ...authority }: ApplyRequest,
): Promise<Plan> {
  const progress = cli.terminal.progress('Comparing clients', loaded.clients.size);
  const plan = await makePlan(deps, store.database.ownedClients, loaded, { authority, prunes, progress });
  if (plan.problems.length === 0) refuseDeletingAll(plan, authority);
  return plan;
}

// The folder may be that of another owner, or a part of the right one.
function refuseDeletingAll({ deletions, kept }: Plan, { owner }: Pick<ApplyRequest, 'owner'>): void {
  if (deletions.length > 0 && kept === 0)
    throw misused(
      `The folder has none of the clients of the owner ${owner}, so --prune would delete all: apply it without --prune first, or use clients delete.`,
    );
}

async function showPlan(cli: Cli, plan: Plan): Promise<void> {
  if (showProblems(cli, plan)) return;
  cli.terminal.show(planJson(plan), planLines(plan));
  if (isChange(plan)) cli.exitWith(EXIT.differs);
}

function isChange({ changes, deletions }: Plan): boolean {
  return changes.length + deletions.length > 0;
}

/** Shows the problems of a plan. Returns whether there are any. */
function showProblems(cli: Cli, plan: Plan): boolean {
  const { problems } = plan;
  if (problems.length === 0) return false;
  cli.terminal.show({ problems }, problemLines(problems.slice(0, MAX_SHOWN)));
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  cli.terminal.note(`Nothing was changed: ${count} in the files.`);
  cli.exitWith(EXIT.failed);
  return true;
}

async function applyAll(
  cli: Cli,
  { deps, store }: Installation,
  loaded: LoadedClients,
  request: ApplyRequest & { readonly isConfirmed: boolean },
): Promise<void> {
  const { owner, folder, secrets, isConfirmed } = request;
  const run = await store.database.beginExclusiveRun(`apply ${owner}`);
  if (run === undefined) throw conflict(`Another run for the owner ${owner} is in progress.`);
  try {
    const plan = await planOf(cli, { deps, store }, loaded, request);
    if (showProblems(cli, plan)) return;
    if (!isConfirmed && isChange(plan)) {
      cli.terminal.show(planJson(plan), planLines(plan));
      throw misused('Nothing was changed: use --yes to apply the changes.');
    }
    const counts = planCounts(plan);
    if (counts.secrets > 0 && secrets.file === undefined && secrets.command === undefined)
      throw misused(
        `Nothing was changed: use --secrets-file or --secrets-command to receive generated secrets: ${counts.secrets}.`,
      );
    const outlet = await openSecretOutlet({ ...secrets, folder, environment: cli.environment });
    try {
      const progress = cli.terminal.progress('Applying clients', plan.changes.length + plan.deletions.length);
      const options = { authority: request, outlet, run, progress };
      const outcome = await carryOut(deps, store.database.ownedClients, plan, options);
      showOutcome(cli, plan, outcome);
    } finally {
      await outlet?.close();
    }
  } finally {
    await run.end();
  }
}

function showOutcome(cli: Cli, { unchanged }: Plan, { problems, ...counts }: Outcome): void {
  const { created, changed, adopted, deleted, secrets } = counts;
  const shown: readonly FileProblem[] = problems.slice(0, MAX_SHOWN);
  cli.terminal.show({ ...counts, unchanged, problems }, [
    ...fieldLines({ created, changed, adopted, deleted, 'secrets handed over': secrets, unchanged }),
    ...(shown.length === 0 ? [] : ['', ...problemLines(shown)]),
  ]);
  if (problems.length > 0) cli.exitWith(EXIT.failed);
}
