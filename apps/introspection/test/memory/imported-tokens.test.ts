import { randomBytes } from 'node:crypto';
import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { parseScope, type Scope } from '@vestibule/scopes';
import { noteSecret, testRedisUrl } from '@vestibule/testkit';
import { type ImportedToken, importAll } from '@vestibule/tokens/importing';
import { expect, it } from 'vitest';
import { aCachedInstance, aTimedService, type CachedInstance } from '../support/cached-instance.js';
import { activeMembers, basic, call, INACTIVE } from '../support/introspection-call.js';
import { CLIENT, ISSUER } from '../support/test-service.js';

/** Two cached instances, and the import of a new token with a text of another server. */
async function createFixture() {
  const service = await aTimedService();
  const redisUrl = await testRedisUrl();
  const instances = [await aCachedInstance(service), await aCachedInstance(service, { redisUrl })];
  const { importedTokens } = service.database.actingAs({ actor: 'master', clock: systemClock });
  const now = nowSeconds(systemClock);
  const aToken = (deviation: Partial<ImportedToken> = {}): ImportedToken => {
    const text = `ory_at_${randomBytes(16).toString('base64url')}.${randomBytes(16).toString('base64url')}`;
    noteSecret('imported token', text);
    return {
      kind: 'access',
      text,
      clientId: CLIENT,
      scope: parseScope('read') as Scope,
      subject: 'alice',
      issuedAt: epochSeconds(now - 60),
      expiresAt: epochSeconds(now + 600),
      ...deviation,
    };
  };
  const introspect = ({ app }: CachedInstance, { text }: ImportedToken, parameters = {}) =>
    call(app, { token: text, ...parameters }, { authorization: basic('rs1') });
  return {
    instances,
    aToken,
    introspect,
    database: service.database,
    importToken: (token: ImportedToken) => importAll({ ...service.deps, importedTokens }, [token]),
  };
}

// The client may use its token before the team's server has sent it here.
it('is active on every instance as soon as the import has returned, although it was just unknown there', async () => {
  const { instances, aToken, introspect, importToken } = await createFixture();
  for (let round = 0; round < 10; round += 1) {
    const token = aToken();
    for (const instance of instances) expect(await introspect(instance, token)).toEqual(INACTIVE);
    // Reads that are under way must not be joined by later requests.
    const underWay = instances.map((instance) => introspect(instance, token));
    await importToken(token);
    for (const instance of instances)
      expect(activeMembers(await introspect(instance, token))).toMatchObject({
        client_id: CLIENT,
        sub: 'alice',
        scope: 'read',
        iss: ISSUER,
        token_type: 'Bearer',
      });
    await Promise.all(underWay);
  }
});

it('is consumed once, and stays consumed when it is imported again', async () => {
  const { instances, aToken, introspect, importToken } = await createFixture();
  const token = aToken();
  await importToken(token);
  const [first, second] = instances as [CachedInstance, CachedInstance];
  activeMembers(await introspect(first, token, { revoke: 'true' }));
  expect(await introspect(first, token)).toEqual(INACTIVE);
  expect(await introspect(second, token, { revoke: 'true' })).toEqual(INACTIVE);
  expect(await importToken(token)).toEqual({ stored: 0, unchanged: 0, revoked: 1 });
  for (const instance of instances) expect(await introspect(instance, token)).toEqual(INACTIVE);
});

it('is never active as a refresh token', async () => {
  const { instances, aToken, introspect, importToken } = await createFixture();
  const token = aToken({ kind: 'refresh' });
  await importToken(token);
  for (const instance of instances)
    expect(await introspect(instance, token, { token_type_hint: 'refresh_token' })).toEqual(INACTIVE);
});
