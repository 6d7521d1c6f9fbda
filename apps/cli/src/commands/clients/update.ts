import { Command } from '@commander-js/extra-typings';
import type { Client, OperatorActor } from '@vestibule/clients';
import { changeClient, dryRunUpdate, keepingCredentials } from '@vestibule/clients/management';
import { JsonError, type JsonObject, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { actorOption } from '../../frame/actor-option.js';
import type { Cli, CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { readJsonFile } from '../../frame/read-file.js';
import { fieldLines } from '../../frame/table.js';
import { memberFields } from './client-summary.js';
import { requireClient } from './show.js';
import { type OperatorDeps, withRegistration } from './with-registration.js';

/** `vestibule clients update` */
export const updateRegistration: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Changes the metadata of a client under the registration rules. Its secret and registration access token stay the same, unless the secret has become too short. --file replaces all metadata; --set and --unset change single members and keep concurrent changes of other members.',
      )
      .argument('<client-id>')
      .option('--file <path>', 'JSON file that replaces all metadata; - for standard input')
      .option(
        '--set <member=value>',
        'set a member; the value is JSON, or a string if it is not valid JSON',
        collected,
        [],
      )
      .option('--unset <member>', 'remove a member, so that its default applies', collected, [])
      .option('--dry-run', 'show what would be registered, but change nothing')
      .addOption(actorOption())
      .action(async (id, options) => {
        const change = await changeOf(cli, options);
        await withRegistration(cli, async (deps) => {
          const update = { id, ...change, actor: options.actor, isDryRun: options.dryRun === true };
          const registered = await updateOne(keepingCredentials(deps), update);
          cli.terminal.show(registered, fieldLines(memberFields(registered)));
        });
      }),
    ['clients update s6BhdRkqt3 --set client_name=Shop', 'rename a client'],
    [
      `clients update s6BhdRkqt3 --set 'redirect_uris=["https://shop.example.org/cb"]'`,
      'set a list, as JSON',
    ],
    ['clients update s6BhdRkqt3 --file shop.json --dry-run', 'show the result of a replacement'],
  );

type Change = (client: Client) => JsonObject;

interface Update {
  readonly id: string;
  readonly change: Change;
  readonly actor: OperatorActor;
  readonly isDryRun: boolean;
}

async function updateOne(deps: OperatorDeps, { id, change, actor, isDryRun }: Update): Promise<JsonObject> {
  const client = await requireClient(deps.clients, id);
  const body = { ...change(client), client_id: client.id };
  return isDryRun
    ? dryRunUpdate(deps, { id, operator: actor, body })
    : withoutCredentials((await changeClient(deps, { id, operator: actor, change })).information);
}

async function changeOf(
  cli: Cli,
  { file, set, unset }: { readonly file?: string; readonly set: string[]; readonly unset: string[] },
): Promise<{ readonly change: Change }> {
  const isSingle = set.length > 0 || unset.length > 0;
  if (file === undefined ? !isSingle : isSingle) throw misused('Give either --file, or --set and --unset.');
  if (file !== undefined) {
    const replacement = await readJsonFile(cli, file);
    return { change: () => replacement };
  }
  const members = Object.fromEntries([...unset.map((name) => [name, null] as const), ...set.map(assignment)]);
  return { change: ({ metadata, data }) => ({ ...metadata, ...(data && { data }), ...members }) };
}

function assignment(text: string): readonly [string, JsonValue] {
  const at = text.indexOf('=');
  if (at < 1) throw misused('--set must be a member and a value, for example client_name=Shop.');
  const value = text.slice(at + 1);
  try {
    return [text.slice(0, at), parseJson(value, { maxDepth: 12, maxMembers: 5_000 })];
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return [text.slice(0, at), value];
  }
}

function collected(value: string, previous: string[]): string[] {
  return [...previous, value];
}

function withoutCredentials({
  client_secret: _s,
  registration_access_token: _t,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}
