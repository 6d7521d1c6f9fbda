import { sha256 } from '@vestibule/crypto';
import type { Digest } from '@vestibule/crypto/data-keys';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import { aClient, aClientId } from '@vestibule/testkit';
import { buildTestConsole } from '../../support/build-test-console.js';

/** A console with a client of each kind of logout, in which `alice` and `bob` can log in. */
export async function anEndUsersConsole() {
  const built = await buildTestConsole();
  const { store } = built;
  const { clients, providerRecords } = store.database;
  const metadata = {
    back: { client_name: 'Wiki', backchannel_logout_uri: 'https://back.example/out?key=confidential' },
    front: { frontchannel_logout_uri: 'https://front.example/out' },
    none: {},
  };
  for (const [id, members] of Object.entries(metadata))
    await clients.create(aClient({ id: aClientId(id), metadata: members }));
  return {
    ...built,
    /** Opens a session of an end-user at all clients. */
    login: (id: string, subject = 'alice', clientIds = Object.keys(metadata)) => {
      const now = nowSeconds(store.clock);
      return providerRecords.sessions.save(
        {
          id,
          subject,
          // A SHA-256 digest has the form of the keyed ones.
          cookieDigest: sha256(`cookie of ${id}`) as Digest,
          payload: {},
          authenticatedAt: now,
          expiresAt: epochSeconds(now + 600),
          clients: clientIds.map((clientId) => ({ clientId, sid: `${id}-${clientId}` })),
        },
        now,
      );
    },
    /** Marks all notifications as given up. */
    giveUp: async () => {
      const { deliveries } = await store.database.logoutDeliveries.claim({
        limit: 100,
        leaseMs: 30_000,
        hosts: [],
        slotsOfHost: 100,
        targets: [],
        slotsOfTarget: 100,
      });
      await store.database.logoutDeliveries.settle(
        deliveries.map(({ id, attempt }) => ({ id, attempt, state: 'dead', waitMs: 0, error: 'timeout' })),
      );
    },
    isLoggedIn: async (id: string) => (await store.database.listedSessions.find(id, 10)) !== undefined,
  };
}
