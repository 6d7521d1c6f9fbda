import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secureRandom } from '@vestibule/crypto';
import {
  activateDataKey,
  addDataKey,
  DATA_KEY_SETTLE_MS,
  openDataKeys,
  parseKeyEncryptionKeys,
} from '@vestibule/crypto/data-keys';
import { activateSigningKey, addSigningKey, retireSigningKey } from '@vestibule/crypto/signing-keys';
import { openDatabase } from '@vestibule/database';
import { systemClock } from '@vestibule/protocol';
import * as openid from 'openid-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { introspect, issue, type ResourceServer, registerResourceServer } from './support/api.js';
import type { Balancer } from './support/balancer.js';
import { insecure, registerPublished, runCodeFlow } from './support/code-flow.js';
import type { InProcessStack } from './support/in-process-stack.js';
import { type TwoInstances, twoInstances } from './support/two-instances.js';
import { openWebBrowser } from './support/web-browser.js';

const PARALLEL = 4;
/** Number of logins that start and end between two steps of a rotation. */
const LOGINS_A_STEP = 4;
const ALGORITHM = 'ES256';

/** Rotates keys as an operator does, waiting between two steps. */
async function operatorOf(url: string, folder: string) {
  const database = openDatabase({ url });
  onTestFinished(() => database.close());
  const text = readFileSync(join(folder, 'encryption-keys'), 'utf8').trim();
  const later = { nowMs: () => systemClock.nowMs() + DATA_KEY_SETTLE_MS };
  const data = {
    store: database.dataKeys,
    keyEncryptionKeys: parseKeyEncryptionKeys(text),
    clock: systemClock,
    random: secureRandom,
  };
  const keys = await openDataKeys(data);
  const signing = { store: database.signingKeys, encryptor: keys.encryptor, clock: systemClock };
  return {
    add: async () => {
      const [encrypt, digest] = [await addDataKey(data, 'seal'), await addDataKey(data, 'digest')];
      const { kid } = await addSigningKey(signing, { keySet: 'provider', use: 'sig', algorithm: ALGORITHM });
      return { kid, dataKeyIds: [encrypt.id, digest.id] };
    },
    activate: async ({
      kid,
      dataKeyIds,
    }: {
      readonly kid: string;
      readonly dataKeyIds: readonly string[];
    }) => {
      for (const id of dataKeyIds) await activateDataKey({ ...data, clock: later }, id);
      await activateSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 3_600, atOnce: true });
    },
    drop: (kid: string) =>
      retireSigningKey(signing, { keySet: 'provider', kid, publishedSeconds: 0, atOnce: true }),
    reencrypt: async () => {
      await keys.refresh();
      return database.reencrypt(keys);
    },
  };
}

/** All requests of a client during a login, each at the next instance in turn. */
async function wholeLogin(
  stack: TwoInstances['stack'],
  client: openid.Configuration,
  server: ResourceServer,
) {
  const { client_id: id, client_secret: secret, ...metadata } = client.clientMetadata();
  const config = await openid.discovery(
    new URL(stack.baseUrl),
    id,
    { ...metadata, ...(typeof secret === 'string' && { client_secret: secret }) },
    undefined,
    { execute: [...insecure.execute, openid.enableNonRepudiationChecks] },
  );
  const browser = openWebBrowser(stack.baseUrl);
  const resource = `${stack.issuer}/clients/${server.id}`;
  for (const parameters of [{}, { resource }]) {
    const tokens = await runCodeFlow(config, { browser, parameters, isPushed: 'resource' in parameters });
    const refreshed = await openid.refreshTokenGrant(config, String(tokens.refresh_token));
    for (const { access_token: token } of [tokens, refreshed]) {
      const response = await introspect(stack, server, { token });
      expect(response).toMatchObject({ active: true, username: 'alice', client_id: id });
    }
  }
}

/** Runs logins repeatedly until it is stopped. */
function startLoad(login: () => Promise<void>) {
  const failures: unknown[] = [];
  let [begun, done] = [0, 0];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      begun += 1;
      await login().then(
        () => (done += 1),
        (error: unknown) => failures.push(error),
      );
    }
  };
  const workers = Array.from({ length: PARALLEL }, work);
  return {
    failures,
    done: () => done,
    /** Resolves when LOGINS_A_STEP logins have ended that started after the call. */
    more: async () => {
      const goal = begun + LOGINS_A_STEP;
      await vi.waitUntil(() => done + failures.length >= goal, { timeout: 120_000 });
    },
    stop: async () => {
      isOver = true;
      await Promise.all(workers);
    },
  };
}

async function published({ port }: InProcessStack): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`http://127.0.0.1:${port}/jwks.json`)).json()) as {
    readonly keys: readonly { readonly kid: string }[];
  };
  return keys.map(({ kid }) => kid);
}

/** The current signing key of an instance. */
async function signsWith({ port, masterToken }: InProcessStack, clientId: string): Promise<string> {
  const stack = { baseUrl: `http://127.0.0.1:${port}`, masterToken };
  const token = await issue(stack, { client_id: clientId, scope: 'read', format: 'jwt' });
  const header = JSON.parse(Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString());
  return header.kid;
}

const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

const serverErrors = ({ responses }: Balancer) => [...responses].filter(([status]) => status >= 500);

// The second instance is always a step behind, since processes reload their keys at different times.
it('fails no request of any login while signing keys and data keys rotate, twice, and everything is encrypted anew', async () => {
  const { stack, balancer, instances, databaseUrl, folder } = await twoInstances({
    SIGNING_ALGORITHMS: ALGORITHM,
    ACCESS_TOKEN_SIGNING_ALG: ALGORITHM,
  });
  const operator = await operatorOf(databaseUrl, folder);
  const server = await registerResourceServer(stack);
  const metadata = {
    scope: 'openid email read',
    id_token_signed_response_alg: ALGORITHM,
    token_endpoint_auth_method: 'client_secret_post',
  };
  const clients = [await registerPublished(stack, metadata), await registerPublished(stack, metadata)];
  let turn = 0;
  const load = startLoad(async () => {
    turn += 1;
    const client = clients[turn % clients.length];
    if (client !== undefined) await wholeLogin(stack, client, server);
  });
  let kid = await signsWith(instances[0], server.id);
  await load.more();
  for (let round = 0; round < 2; round += 1) {
    const added = await operator.add();
    for (const instance of instances) {
      instance.readKeys();
      await until(async () => (await published(instance)).includes(added.kid));
      await load.more();
    }
    await operator.activate(added);
    for (const instance of instances) {
      instance.readKeys();
      await until(async () => (await signsWith(instance, server.id)) === added.kid);
      await load.more();
    }
    expect((await operator.reencrypt()).unreadable).toBe(0);
    const earlier = kid;
    await operator.drop(earlier);
    for (const instance of instances) {
      instance.readKeys();
      await until(async () => !(await published(instance)).includes(earlier));
      await load.more();
    }
    ({ kid } = added);
  }
  await load.stop();
  expect(load.failures.map(String)).toEqual([]);
  expect(serverErrors(balancer)).toEqual([]);
  expect(load.done()).toBeGreaterThan(13 * LOGINS_A_STEP);
  // A busy machine may lose a connection to the database for a moment, which is a warning and fails no request.
  for (const { log } of instances) expect(log()).not.toMatch(/"level":"(?:error|fatal)"/);
});
