import { Command, Option } from '@commander-js/extra-typings';
import { EXPORT_FORMATS } from '@vestibule/clients/import';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { withNotes } from '../../frame/notes.js';
import { fieldLines, tableLines } from '../../frame/table.js';
import { type ExportFile, openExport } from './export-file.js';
import { entryImport, type ImportedEntry, type ImportPlan } from './import-entry.js';
import { inOrder } from './import-order.js';
import { type OperatorDeps, withRegistration } from './with-registration.js';

/** Clients imported concurrently; each is a separate change. */
const AT_A_TIME = 4;

/** Maximum number of remarks in text output; JSON output has all. */
const MAX_SHOWN = 1_000;

/** `vestibule clients import` */
export const importClients: CommandFactory = (cli) =>
  withExamples(
    withNotes(new Command(), [
      'The rules are those for registration with the master token, except that a secret may have any length from 1 to 256 characters.',
      'A secret that the other server stores as a hash (bcrypt or PBKDF2) is given as client_secret_hash. It is verified at its first use and then stored like any other secret.',
      'Each client is imported separately: run an import again if it was interrupted or reported problems. Existing clients stay as they are and are reported.',
      'The export is a JSON document, or has one client per line: the Client records of an adapter of node-oidc-provider, a realm export of Keycloak or the output of kcadm get clients, or the output of hydra list oauth2-clients --format json.',
      'Exits with 1 if a client has a problem.',
    ])
      .description('Imports the clients of another server with their identifiers and secrets.')
      .argument('<file>', 'export file of the other server')
      .addOption(
        new Option('--from <server>', 'the server that the export comes from')
          .choices(EXPORT_FORMATS)
          .makeOptionMandatory(),
      )
      .option('--dry-run', 'report every problem, but import nothing')
      .option(
        '--update',
        'update existing clients with the metadata of the export; they keep their credentials, and their data if the export has none',
      )
      .addOption(
        new Option(
          '--new-secrets',
          'issue new secrets for clients whose secret cannot be kept; --json and clients show --credentials show them',
        ).conflicts('skip'),
      )
      .option('--skip', 'skip clients whose secret cannot be kept')
      .addOption(actorOption())
      .action(async (path, options) => {
        const file = await openExport(path);
        await withRegistration(cli, (deps) =>
          runImport(cli, deps, {
            file,
            plan: {
              format: options.from,
              operator: options.actor,
              isDryRun: options.dryRun === true,
              replacesExisting: options.update === true,
              unkeptSecrets: options.newSecrets === true ? 'new' : options.skip === true ? 'skip' : 'problem',
            },
          }),
        );
      }),
    ['clients import realm.json --from keycloak --dry-run', 'show the result of an import'],
    ['clients import realm.json --from keycloak', 'import the clients of a realm'],
    ['clients import clients.json --from hydra --new-secrets --json > result.json', 'keep the new secrets'],
    [
      'clients import clients.ndjson --from oidc-provider',
      'import one client per line, with client_secret_hash',
    ],
  );

interface Import {
  readonly file: ExportFile;
  readonly plan: ImportPlan;
}

async function runImport(cli: Cli, deps: OperatorDeps, { file, plan }: Import): Promise<void> {
  const counts = new Map<ImportedEntry['outcome'], number>();
  const secrets = { weak: 0, hashed: 0 };
  const progress = cli.terminal.progress(
    plan.isDryRun ? 'Checking clients' : 'Importing clients',
    file.total,
  );
  async function* results(): AsyncGenerator<ImportedEntry> {
    let done = 0;
    for await (const result of inOrder(file.entries, entryImport(deps, plan), AT_A_TIME)) {
      counts.set(result.outcome, (counts.get(result.outcome) ?? 0) + 1);
      if (result.weak_secret === true) secrets.weak += 1;
      if (result.secret === 'hashed') secrets.hashed += 1;
      done += 1;
      progress.report(done);
      yield result;
    }
    progress.end();
  }
  if (cli.terminal.isJson) await cli.terminal.list(results(), [], '');
  else await showRemarkable(cli, results());
  summarize(cli, plan, counts);
  for (const warning of secretWarnings(secrets)) printBesideJson(cli, warning);
  if (counts.has('problem')) cli.exitWith(EXIT.failed);
}

async function showRemarkable(cli: Cli, results: AsyncIterable<ImportedEntry>): Promise<void> {
  const remarkable: ImportedEntry[] = [];
  let left = 0;
  for await (const result of results) {
    if (result.remarks.length === 0) continue;
    if (remarkable.length < MAX_SHOWN) remarkable.push(result);
    else left += 1;
  }
  const lines = remarkable.flatMap(({ client_id, outcome, remarks }) =>
    remarks.map((remark, index) => ({
      id: index === 0 ? client_id : '',
      outcome: index === 0 ? outcome : '',
      remark,
    })),
  );
  if (lines.length > 0) cli.terminal.write(`${tableLines(REMARKS, lines).join('\n')}\n\n`);
  if (left > 0) cli.terminal.write(`And ${left} more with remarks: use --json to see all of them.\n\n`);
}

interface RemarkLine {
  readonly id: string | undefined;
  readonly outcome: string;
  readonly remark: string;
}

const REMARKS = [
  { title: 'CLIENT ID', cell: ({ id }: RemarkLine) => (id === '' ? ' ' : id) },
  { title: 'OUTCOME', cell: ({ outcome }: RemarkLine) => (outcome === '' ? ' ' : outcome.replace('_', ' ')) },
  { title: 'REMARK', cell: ({ remark }: RemarkLine) => remark },
];

function summarize(cli: Cli, { isDryRun }: ImportPlan, counts: ReadonlyMap<string, number>): void {
  const of = (outcome: ImportedEntry['outcome']) => counts.get(outcome) ?? 0;
  const lines = fieldLines({
    [isDryRun ? 'would be created' : 'created']: of('created'),
    [isDryRun ? 'would be updated' : 'updated']: of('updated'),
    'already exist': of('exists'),
    'passed over': of('passed_over'),
    problems: of('problem'),
  });
  for (const line of lines) printBesideJson(cli, line);
}

interface RemarkableSecrets {
  /** Secrets with fewer than 128 bits. */
  readonly weak: number;
  /** Secrets imported as hashes. */
  readonly hashed: number;
}

function secretWarnings({ weak, hashed }: RemarkableSecrets): readonly string[] {
  const warnings = [];
  if (weak > 0)
    warnings.push(
      `Imported secrets with fewer than 128 bits: ${weak}. Replace them when you can (clients rotate-secret).`,
    );
  if (hashed > 0)
    warnings.push(
      `Secrets imported as hashes: ${hashed}. Each is verified at its first use and then stored like any other secret.`,
    );
  return warnings;
}

function printBesideJson(cli: Cli, line: string): void {
  if (cli.terminal.isJson) cli.terminal.note(line);
  else cli.terminal.write(`${line}\n`);
}
