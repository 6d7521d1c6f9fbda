import { createTestDatabase, type TestDatabase } from '@vestibule/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { introspect, issue, registerResourceServer, send } from './support/api.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';

const PARALLEL = 100;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: TestDatabase;
let stacks: readonly [Standalone, Standalone];

// One issuer, as behind a load balancer: each process accepts what the other issues.
beforeAll(async () => {
  folder = await temporaryFolder();
  database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, BASE_URL: 'http://localhost:8080' };
  const start = () => startStandalone(folder.path, settings);
  stacks = await Promise.all([start(), start()]);
});

afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()));
  await database.drop();
  await folder.remove();
});

/** The same request many times in parallel, to each process in turn. */
function toBoth<Result>(request: (stack: Standalone) => Promise<Result>): Promise<Result>[] {
  return Array.from({ length: PARALLEL }, (_, index) => request(stacks[index % 2 === 0 ? 0 : 1]));
}

describe('two processes over one database', () => {
  it('register exactly one client for 100 parallel registrations with one initial access token', async () => {
    const [first] = stacks;
    const token = await issue(first, { scope: 'client-reg' });
    const responses = await Promise.all(
      toBoth(({ baseUrl }) =>
        send(`${baseUrl}/clients`, 'POST', token, { redirect_uris: ['https://a.example/'] }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(PARALLEL - 1);
    const clients = JSON.parse((await send(`${first.baseUrl}/clients`, 'GET', first.masterToken)).text);
    expect(clients).toHaveLength(1);
  });

  it('respond to exactly one of 100 parallel single-use introspections with an active token', async () => {
    const [first] = stacks;
    const server = await registerResourceServer(first);
    const token = await issue(first, { client_id: server.id, sub: 'alice', scope: 'read' });
    const responses = await Promise.all(
      toBoth((stack) => introspect(stack, server, { token, revoke: 'true' })),
    );
    expect(responses.filter(({ active }) => active === true)).toHaveLength(1);
    expect(responses.filter(({ active }) => active === false)).toHaveLength(PARALLEL - 1);
  });
});
