import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { freePort } from '@vestibule/local-services';
import { createTestDatabase } from '@vestibule/testkit';
import pg from 'pg';
import { send } from './api.js';
import { type InProcessStack, startInProcess } from './in-process-stack.js';
import { temporaryFolder } from './standalone-process.js';

/** A stack at an address. */
export interface AddressedStack extends InProcessStack {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly issuer: string;
  readonly host: string;
}

/** A back-channel logout request of the provider. */
export interface LogoutNotification {
  readonly form: string;
  readonly status: number;
}

/** A stack whose end-users log in at another stack. */
export interface UpstreamFixture {
  /** The provider that end-users log in at. */
  readonly upstream: AddressedStack;
  /** The stack whose clients and tokens are ours. */
  readonly ours: AddressedStack;
  /** Our client at the provider. */
  readonly clientId: string;
  /** The logout tokens that reached us, with the status of our response. */
  readonly notifications: readonly LogoutNotification[];
  /** Moves every login at the provider into the past. */
  ageLogins(seconds: number): Promise<void>;
  close(): Promise<void>;
}

const FAST_KEYS = { SIGNING_ALGORITHMS: 'ES256', ACCESS_TOKEN_SIGNING_ALG: 'ES256' };

const AGE_LOGINS = `UPDATE session
  SET payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::bigint - $1::bigint))`;

/** Starts both, with different host names, since browsers do not tell the ports of a host apart. */
export async function startUpstreamFixture(): Promise<UpstreamFixture> {
  const closing: (() => Promise<unknown>)[] = [];
  const start = async (
    name: string,
    port: number,
    settings: Readonly<Record<string, string>>,
  ): Promise<AddressedStack> => {
    const [folder, database] = [await temporaryFolder(), await createTestDatabase()];
    closing.push(folder.remove, database.drop);
    const baseUrl = `http://${name}:${port}`;
    const stack = await startInProcess(folder.path, {
      ...FAST_KEYS,
      BASE_URL: baseUrl,
      PORT: String(port),
      DATABASE_URL: database.url,
      REGISTRATION_CREATED_STATUS: '201',
      ...settings,
    });
    closing.push(stack.stop);
    return { ...stack, databaseUrl: database.url, baseUrl, issuer: baseUrl, host: `${name}:${port}` };
  };
  const [upstreamPort, port] = [await freePort(), await freePort()];
  const base = `http://localhost:${port}`;
  const notifications: LogoutNotification[] = [];
  const relay = createServer(async (request, response) => {
    const form = await text(request);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const delivery = fetch(`${base}/upstream/backchannel-logout`, { method: 'POST', headers, body: form });
    // A notification that is delivered again may find the other stack stopped.
    const status = await delivery.then(
      (delivered) => delivered.status,
      () => 502,
    );
    notifications.push({ form, status });
    response.writeHead(status).end();
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  closing.push(async () => relay.close());
  const relayHost = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const upstream = await start('127.0.0.1', upstreamPort, { EGRESS_ALLOW_HOSTS: relayHost });
  const registered = await send(`${upstream.baseUrl}/clients`, 'POST', upstream.masterToken, {
    client_name: 'Ours',
    application_type: 'web',
    redirect_uris: [`${base}/upstream/callback`],
    scope: 'openid profile email',
    // On its way to us, where the test can see it.
    backchannel_logout_uri: `http://${relayHost}/`,
    backchannel_logout_session_required: true,
    post_logout_redirect_uris: [`${base}/upstream/logged-out`],
  });
  const client: { readonly client_id: string; readonly client_secret: string } = JSON.parse(registered.text);
  const ours = await start('localhost', port, {
    UPSTREAM_ISSUER: upstream.issuer,
    UPSTREAM_CLIENT_ID: client.client_id,
    UPSTREAM_CLIENT_SECRET: client.client_secret,
    UPSTREAM_ACR_VALUES: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
  });
  return {
    upstream,
    ours,
    clientId: client.client_id,
    notifications,
    ageLogins: async (seconds) => {
      const database = new pg.Client(upstream.databaseUrl);
      await database.connect();
      await database.query(AGE_LOGINS, [seconds]);
      await database.end();
    },
    close: async () => {
      for (const close of closing.toReversed()) await close();
    },
  };
}
