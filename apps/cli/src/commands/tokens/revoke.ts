import { Command } from '@commander-js/extra-typings';
import type { AuditActor } from '@vestibule/clients';
import { nowSeconds, parseClientId, systemClock } from '@vestibule/protocol';
import { revokeSubject, revokeToken } from '@vestibule/tokens/revocation';
import { actorOption } from '../../frame/actor-option.js';
import type { CommandFactory } from '../../frame/cli.js';
import { EXIT, misused } from '../../frame/command-failure.js';
import { withExamples } from '../../frame/examples.js';
import { type OpenKeysInstallation, withStore } from '../../installation/with-store.js';
import { issuerOf, tokenOf } from '../../tokens/token-argument.js';

/** `vestibule tokens revoke` */
export const tokensRevoke: CommandFactory = (cli) =>
  withExamples(
    new Command()
      .description(
        'Revokes a token of any kind, or every token and authorization of a client, an end-user or a session. It takes effect in every service within a second. Succeeds also if the token does not exist or is already inactive. Exits with 1 for a JWT of the issuer that does not verify, and says why. A token of another server that is not known yet is inactive if it is imported within 30 days.',
      )
      .argument(
        '[token]',
        'the token; omit it or use - to read it from standard input, so that other users of the machine cannot see it',
      )
      .option('--client-id <id>', 'revoke every token of this client instead')
      .option(
        '--sub <subject>',
        'revoke every token and end every session of this end-user instead; the clients of the sessions are notified',
      )
      .option('--sid <session>', 'revoke every token of this session instead')
      .addOption(actorOption())
      .action(async (argument, { actor, clientId, sub, sid }) => {
        const named = [argument, clientId, sub, sid].filter((value) => value !== undefined);
        if (named.length > 1) throw misused('Give exactly one of a token, --client-id, --sub and --sid.');
        const token = named.length === 0 || argument !== undefined ? await tokenOf(cli, argument) : undefined;
        const reason = await withStore(cli, (installation) =>
          revoke(installation, { actor, token, clientId, sub, sid }),
        );
        if (reason === undefined) return cli.terminal.show({ revoked: true }, ['Revoked.']);
        cli.terminal.show({ revoked: false, reason }, [`Nothing was revoked: ${reason}.`]);
        cli.exitWith(EXIT.failed);
      }),
    ['tokens revoke < token.txt', 'revoke the token in a file'],
    [
      'tokens revoke --sub alice --actor jane',
      'revoke every token of an end-user, end their sessions, and record who did it',
    ],
  );

interface Wanted {
  readonly actor: AuditActor;
  readonly token: string | undefined;
  readonly clientId: string | undefined;
  readonly sub: string | undefined;
  readonly sid: string | undefined;
}

/** Returns why nothing was revoked, for a JWT that does not verify. */
async function revoke(
  { store, environment }: OpenKeysInstallation,
  wanted: Wanted,
): Promise<string | undefined> {
  const { actor, token, clientId, sub, sid } = wanted;
  const { digester, clock, providerKeys: keys } = store;
  const { revocations, initialAccessTokens, sessions } = store.database.actingAs({
    actor,
    clock: systemClock,
  });
  const now = nowSeconds(clock);
  if (token !== undefined) {
    const deps = { digester, revocations, initialAccessTokens, keys, clock, ...issuerOf(environment, keys) };
    let unverified: string | undefined;
    const onUnverifiedJwt = (reason: string) => {
      unverified = reason;
    };
    await revokeToken({ ...deps, onUnverifiedJwt }, token);
    return unverified;
  }
  if (clientId !== undefined) {
    const id = parseClientId(clientId);
    if (id === undefined) throw misused('--client-id: not a valid client identifier.');
    await revocations.revokeClient(id, now);
  }
  if (sub !== undefined) await revokeSubject({ revocations, sessions }, sub, now);
  if (sid !== undefined) await revocations.revokeSession(sid, now);
  return undefined;
}
