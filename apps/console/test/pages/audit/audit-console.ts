import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { aClient, aClientId } from '@vestibule/testkit';
import { buildTestConsole, ISSUER } from '../../support/build-test-console.js';

/** A console with a way to record events. */
export async function anAuditConsole() {
  const built = await buildTestConsole();
  const { database, clock } = built.store;
  return {
    ...built,
    /** Records `client.registered` for clients. */
    register: async (ids: readonly string[]) => {
      for (const id of ids) await database.clients.create(aClient({ id: aClientId(id) }));
    },
    /** Records `token.revoked` about a token with any identifier, by an operator. */
    revoke: async (jti: string, operator = 'jane') => {
      const now = nowSeconds(clock);
      const { revocations } = database.actingAs({ actor: `operator:${operator}`, clock });
      await revocations.revokeSelfContained(ISSUER, jti, epochSeconds(now + 600), now);
    },
  };
}
