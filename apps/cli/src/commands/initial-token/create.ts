import { Command, Option } from '@commander-js/extra-typings';
import { secureRandom } from '@vestibule/crypto';
import { systemClock } from '@vestibule/protocol';
import { formatScope, parseRegistrationScope, type Scope } from '@vestibule/scopes';
import { loadSettings } from '@vestibule/service/settings';
import { INITIAL_TOKEN_SETTINGS, SHARED_SETTINGS } from '@vestibule/service/shared-settings';
import { issueInitialAccessToken } from '@vestibule/tokens/issuing';
import Type from 'typebox';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { integerValue } from '../../frame/option-values.js';
import { timeText } from '../../frame/plain-text.js';
import { readJsonFile } from '../../frame/read-file.js';
import { fieldLines } from '../../frame/table.js';
import { withStore } from '../../installation/with-store.js';

const TokenSettings = Type.Object({ BASE_URL: SHARED_SETTINGS.BASE_URL, ...INITIAL_TOKEN_SETTINGS });

const MAX_SECONDS = 31_536_000;
const MAX_USES = 1_000_000;

/** `vestibule initial-token create` */
export const createInitialToken: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Issues an initial access token and shows it once. Its holder can register clients within its scope: client-reg for everything, or narrower values such as client-reg:grant:code.',
      )
      .requiredOption('--scope <values>', 'space-separated client-reg scope values')
      .option('--uses <number>', 'number of registrations that it allows', integerValue(1, MAX_USES), 1)
      .option(
        '--expires-in <seconds>',
        'its lifetime; default: INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS',
        integerValue(1, MAX_SECONDS),
      )
      .option('--label <text>', 'a note for operators')
      .option(
        '--template <file>',
        'JSON file with metadata that every registration starts from; - for standard input',
      )
      .addOption(new Option('--format <format>', 'format of the token').choices(['identifier', 'jwt']))
      .addOption(actorOption())
      .action(async ({ scope: values, uses, expiresIn, label, template, format, actor }) => {
        const scope = registrationScope(values);
        const metadataTemplate = template === undefined ? undefined : await readJsonFile(cli, template);
        await withStore(cli, async ({ store, environment }) => {
          const settings = loadSettings(TokenSettings, environment);
          const { accessToken, state } = await issueInitialAccessToken(
            {
              clock: systemClock,
              issuer: settings.BASE_URL,
              random: secureRandom,
              digester: store.digester,
              ...store.database.actingAs({ actor, clock: systemClock }),
              tokenLength: settings.ACCESS_TOKEN_LENGTH,
              keys: store.providerKeys,
              algorithm: settings.ACCESS_TOKEN_SIGNING_ALG,
            },
            {
              scope,
              uses,
              lifetimeSeconds: expiresIn ?? settings.INITIAL_ACCESS_TOKEN_LIFETIME_SECONDS,
              ...(label !== undefined && { label }),
              ...(format !== undefined && { format }),
              ...(metadataTemplate && { metadataTemplate }),
            },
          );
          const id = Buffer.from(state.digest).toString('hex').slice(0, 8);
          const shown = { id, scope: formatScope(scope), uses, ...(label !== undefined && { label }) };
          cli.terminal.show(
            { access_token: accessToken, ...shown, expires_at: state.expiresAt },
            fieldLines({ access_token: accessToken, ...shown, expires_at: timeText(state.expiresAt) }),
          );
        });
      }),
    ['initial-token create --scope client-reg:grant:code', 'one registration for the code flow'],
    [
      "initial-token create --scope 'client-reg:grant:code client-reg:scope' --uses 50 --label onboarding",
      '50 registrations that may set scope',
    ],
  );

function registrationScope(values: string): Scope {
  const scope = parseRegistrationScope(values);
  if (scope === undefined)
    throw misused('--scope must contain only client-reg scope values, separated by single spaces.');
  return scope;
}
