import { describe, expect, it } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { changeClient } from './change-client.js';
import { keepingCredentials } from './next-credentials.js';

const BODY = { redirect_uris: ['https://app.example.org/cb'], client_name: 'Shop' };
const operator = operatorActor('alice');

async function registered() {
  const fixture = await registrationFixture();
  const { information } = await fixture.register(BODY, MASTER);
  return { ...fixture, deps: keepingCredentials(fixture.deps), id: information.client_id };
}

describe('a change of a client', () => {
  it('is repeated if the client was changed in the meantime', async () => {
    const { deps, change, find, id } = await registered();
    const before = await find(id);
    let isFirst = true;
    const findPresent = deps.clients.find;
    const clients = {
      ...deps.clients,
      find: async (clientId: Parameters<typeof findPresent>[0]) => {
        const found = await findPresent(clientId);
        if (isFirst) {
          isFirst = false;
          await change(id, (client) => ({ ...client, data: { tier: 'gold' } }));
        }
        return found;
      },
    };
    const { version } = await changeClient(
      { ...deps, clients },
      {
        id,
        operator,
        change: ({ metadata, data }) => ({ ...metadata, ...(data && { data }), client_name: 'Other' }),
      },
    );
    const after = await find(id);
    expect(version).toBe(3);
    expect(after).toMatchObject({ data: { tier: 'gold' }, metadata: { client_name: 'Other' } });
    expect(after?.secret).toEqual(before?.secret);
  });

  it('is refused like an update', async () => {
    const { deps, find, id } = await registered();
    const before = await find(id);
    const change = () => ({ redirect_uris: ['http://app.example.org/cb'] });
    await expect(changeClient(deps, { id, operator, change })).rejects.toMatchObject({
      code: 'invalid_redirect_uri',
    });
    await expect(changeClient(deps, { id: 'unknown-id', operator, change })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await find(id)).toEqual(before);
  });
});
