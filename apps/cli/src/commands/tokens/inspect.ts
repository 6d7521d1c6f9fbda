import { Command } from '@commander-js/extra-typings';
import { composeResponse, inspectToken, type TokenInspection } from '@vestibule/tokens/introspection';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { timeText } from '../../frame/plain-text.js';
import { fieldLines } from '../../frame/table.js';
import { withStore } from '../../installation/with-store.js';
import { issuerOf, tokenOf } from '../../tokens/token-argument.js';

/** `vestibule tokens inspect` */
export const tokensInspect: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Shows whether an access token is active, the reason if it is not, and its claims, whatever its audience. Reads the database, not the caches of the services. Never prints the token. Exits with 1 if the token is not active.',
      )
      .argument(
        '[token]',
        'the token; omit it or use - to read it from standard input, so that other users of the machine cannot see it',
      )
      .action((argument) =>
        withStore(cli, async ({ store, environment }) => {
          const { digester, database, providerKeys: keys, clock } = store;
          const { accessTokens, revocations } = database;
          const deps = { digester, accessTokens, revocations, keys, clock, ...issuerOf(environment, keys) };
          const record = tokenRecord(await inspectToken(deps, await tokenOf(cli, argument)));
          cli.terminal.show(record, recordLines(record));
          if (!record.active) cli.exitWith(EXIT.failed);
        }),
      ),
    ['tokens inspect < token.txt', 'inspect the token in a file'],
    ['tokens inspect --json < token.txt', 'the same for a script'],
  );

function tokenRecord({ reason, detail, state }: TokenInspection) {
  const members =
    state === undefined
      ? {}
      : composeResponse({
          token: state.token,
          caller: state.token.clientId,
          audience: state.token.audience,
          scope: state.token.scope,
        });
  return {
    active: reason === undefined,
    ...(reason !== undefined && { reason }),
    ...(detail !== undefined && { detail }),
    ...(state !== undefined && { format: state.format }),
    ...members,
  };
}

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf']);

function recordLines({ active, ...members }: ReturnType<typeof tokenRecord>): readonly string[] {
  const cells = Object.entries(members).map(([name, value]) => {
    const isTime = TIMES.has(name) && typeof value === 'number';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, isTime ? timeText(value) : text];
  });
  return fieldLines({ active: active ? 'yes' : 'no', ...Object.fromEntries(cells) });
}
