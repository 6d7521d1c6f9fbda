import { expect, it, vi } from 'vitest';
import { aClient, aDigest, anAccessToken, anId, NOW, opened } from './testing/fixtures.js';
import { aMigratedDatabase } from './testing/test-database.js';

const { loaded } = vi.hoisted(() => ({ loaded: vi.fn() }));
vi.mock('./generated/client.js', async (original) => {
  loaded();
  return original();
});

// It would take tens of megabytes of every instance, and delay the first requests.
it('is loaded for operator requests, and not at the start of a service or for tokens, clients, logins and logouts', async () => {
  const database = opened({ url: await aMigratedDatabase() });
  await database.requireSchema([]);
  await database.serverState();
  await database.dataKeys.list();
  await database.signingKeys.list('provider', NOW);
  await database.clients.create(aClient());
  await database.clients.find(anId('client'));
  await database.initialAccessTokens.find([aDigest('initial')]);
  await database.accessTokens.insert(aDigest('token'), anAccessToken());
  await database.accessTokens.find([aDigest('token')]);
  await database.accessTokens.claim([aDigest('token')], [anId('api')], NOW);
  await database.revocations.revokeSubject('alice', NOW);
  await database.providerRecords.artifacts.find('Code', [aDigest('code')], NOW);
  await database.providerRecords.refreshTokens.find([aDigest('refresh')], NOW);
  await database.providerRecords.sessions.findByCookie([aDigest('cookie')], NOW);
  await database.logoutSessions.findByCookie([aDigest('cookie')], NOW);
  await database.logoutDeliveries.waiting();
  await database.deliveryStates.states(['1']);
  await database.federation.controls();
  await database.cleanUp({ now: NOW });
  await database.chainAuditEvents();
  expect(loaded).not.toHaveBeenCalled();
  await database.federation.denied();
  expect(loaded).toHaveBeenCalledOnce();
});
