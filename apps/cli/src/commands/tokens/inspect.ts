import { Command } from '@commander-js/extra-typings';
import {
  composeResponse,
  explainToken,
  INACTIVE_CAUSES,
  type InactiveCause,
  type TokenExplanation,
} from '@vestibule/tokens/introspection';
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
        'Shows whether an access token is active, the reason if it is not, what the database still knows of the cause, and its claims, whatever its audience. Reads the database, not the caches of the services. Never prints the token. Exits with 1 if the token is not active.',
      )
      .argument(
        '[token]',
        'the token; omit it or use - to read it from standard input, so that other users of the machine cannot see it',
      )
      .action((argument) =>
        withStore(cli, async ({ store, environment }) => {
          const { digester, database, providerKeys: keys, clock } = store;
          const { accessTokens, inactiveTokens, revocations } = database;
          const stores = { digester, accessTokens, inactiveTokens, revocations };
          const deps = { ...stores, keys, clock, ...issuerOf(environment, keys) };
          const record = tokenRecord(await explainToken(deps, await tokenOf(cli, argument)));
          cli.terminal.show(record, recordLines(record));
          if (!record.active) cli.exitWith(EXIT.failed);
        }),
      ),
    ['tokens inspect < token.txt', 'inspect the token in a file'],
    ['tokens inspect --json < token.txt', 'the same for a script'],
  );

function tokenRecord({ reason, detail, state, causes }: TokenExplanation) {
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
    ...(causes.length > 0 && { causes: causes.map(causeRecord) }),
    ...(state !== undefined && { format: state.format }),
    ...members,
  };
}

function causeRecord({ kind, at, actor }: InactiveCause) {
  return { cause: kind, ...(at !== undefined && { at }), ...(actor !== undefined && { actor }) };
}

/** The sentence of a cause, with its time and actor. */
function causeText({ cause, at, actor }: ReturnType<typeof causeRecord>): string {
  const details = [...(at === undefined ? [] : [timeText(at)]), ...(actor === undefined ? [] : [actor])];
  return `${INACTIVE_CAUSES[cause]}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf']);

function recordLines({ active, causes = [], ...members }: ReturnType<typeof tokenRecord>): readonly string[] {
  const cells = Object.entries(members).map(([name, value]) => {
    const isTime = TIMES.has(name) && typeof value === 'number';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, isTime ? timeText(value) : text];
  });
  return fieldLines({
    active: active ? 'yes' : 'no',
    ...(causes.length > 0 && { why: causes.map(causeText).join(' ') }),
    ...Object.fromEntries(cells),
  });
}
