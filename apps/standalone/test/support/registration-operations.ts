import { noteResponse } from '@vestibule/testkit';
import { expect } from 'vitest';
import { type InitialToken, MASTER, type RegistrationFixture } from './registration-fixture.js';
import type { RegistrationProcess } from './registration-process.js';

/** Number of access tokens of the deleted client. */
export const TOKENS = 5_000;

/** An operation of a client, and its required result, whatever happened to the process. */
export interface RegistrationOperation {
  /** The status of its response on success. */
  readonly success: number;
  /** Sends the operation. Resolves with the status, or nothing if the process died. */
  send(service: RegistrationProcess): Promise<number | undefined>;
  /**
   * Checks the database through another process, expects that the operation was done completely or not at all, and that
   * repeating it completes it.
   * @returns whether it had been done
   */
  settle(service: RegistrationProcess): Promise<boolean>;
  /** The row that another transaction must lock for the operation to stop halfway. */
  readonly obstacle: { readonly statement: string; readonly values: unknown[] };
}

interface ApiResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly token: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function say({ baseUrl }: RegistrationProcess, target: string, call: Call): Promise<ApiResponse> {
  const { token, body, headers } = call;
  const [method = '', path] = target.split(' ', 2);
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  noteResponse(text);
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : {} };
}

const REDIRECT = { redirect_uris: ['https://app.example/cb'] };
let count = 0;

function aName(): string {
  count += 1;
  return `name-${count}`;
}

/** A registration that consumes a one-time token, with or without an idempotency key. */
export async function aRegistration(
  fixture: RegistrationFixture,
  isRepeatable: boolean,
): Promise<RegistrationOperation> {
  const { sql } = fixture;
  const token: InitialToken = await fixture.issue();
  const id = aName();
  const call = {
    token: token.value,
    body: { ...REDIRECT, preferred_client_id: id },
    ...(isRepeatable && { headers: { 'idempotency-key': `"${id}"` } }),
  };
  const made = async () => (await sql('SELECT FROM client WHERE id = $1', [id])).length;
  const usesLeft = async () => {
    const [row] = await sql('SELECT uses_left FROM initial_access_token WHERE digest = $1', [token.digest]);
    return row?.['uses_left'];
  };
  const history = () => sql(`SELECT FROM audit_event WHERE target = $1`, [`client:${id}`]);
  return {
    success: 200,
    send: (service) => statusOf(say(service, 'POST /clients', call)),
    settle: async (service) => {
      const clients = await made();
      expect(await usesLeft()).toBe(1 - clients);
      expect(await history()).toHaveLength(clients);
      const again = await say(service, 'POST /clients', call);
      expect(again.status).toBe(clients === 0 || isRepeatable ? 200 : 401);
      expect([await made(), await usesLeft(), (await history()).length]).toEqual([1, 0, 1]);
      const read = await say(service, `GET /clients/${id}`, { token: MASTER });
      expect(read.body).toMatchObject({ client_id: id, ...(again.status === 200 && again.body) });
      return clients === 1;
    },
    // Another transaction with the same identifier, not yet committed: the token is claimed, the client not yet
    // created.
    obstacle: {
      statement: `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ($1, '{}', '', now(), now())`,
      values: [id],
    },
  };
}

/** An update with the registration access token, which replaces it and the secret. */
export async function anUpdate(
  { sql }: RegistrationFixture,
  service: RegistrationProcess,
): Promise<RegistrationOperation> {
  const first = await say(service, 'POST /clients', { token: MASTER, body: REDIRECT });
  const { client_id: id, client_secret: secret, registration_access_token: token } = first.body;
  const path = `/clients/${id}`;
  const call = { token: String(token), body: { ...REDIRECT, client_id: id, client_name: 'Two' } };
  let issuedToken: string | undefined;
  const versions = () =>
    sql(`SELECT FROM audit_event WHERE target = $1 AND action = 'client.updated'`, [`client:${id}`]);
  return {
    success: 200,
    send: (sender) =>
      statusOf(
        say(sender, `PUT ${path}`, call).then((sent) => {
          if (sent.status === 200) issuedToken = String(sent.body['registration_access_token']);
          return sent;
        }),
      ),
    settle: async (other) => {
      const owned = issuedToken ?? call.token;
      const read = await say(other, `GET ${path}`, { token: owned });
      expect(read.status).toBe(200);
      const isDone = read.body['client_name'] === 'Two';
      expect(read.body['client_secret'] === secret).toBe(!isDone);
      expect(await versions()).toHaveLength(isDone ? 1 : 0);
      const repeated = await say(other, `PUT ${path}`, { ...call, token: owned });
      expect(repeated).toMatchObject({ status: 200, body: { client_id: id, client_name: 'Two' } });
      const next = String(repeated.body['registration_access_token']);
      expect(await say(other, `GET ${path}`, { token: next })).toEqual(repeated);
      for (const earlier of [call.token, owned])
        expect(await say(other, `GET ${path}`, { token: earlier })).toMatchObject({ status: 401 });
      // With the previous token it is a repetition of the update and gets the same response; with the new one, it is
      // another update.
      expect(await versions()).toHaveLength(isDone && owned !== call.token ? 2 : 1);
      return isDone;
    },
    obstacle: { statement: 'SELECT FROM client WHERE id = $1 FOR UPDATE', values: [id] },
  };
}

/** The deletion of a client that has many tokens. */
export async function aDeletion(
  { sql }: RegistrationFixture,
  service: RegistrationProcess,
): Promise<RegistrationOperation> {
  const { body } = await say(service, 'POST /clients', { token: MASTER, body: REDIRECT });
  const id = String(body['client_id']);
  const call = { token: String(body['registration_access_token']) };
  await sql(
    `INSERT INTO access_token (digest, client_id, scope, audience, issuer, issued_at, expires_at)
      SELECT sha256(convert_to($1 || n, 'UTF8')), $1, 'read', '{}', 'https://as.example', now(), now() + interval '1 hour'
      FROM generate_series(1, ${TOKENS}) AS n`,
    [id],
  );
  const left = async () => {
    const [row] = await sql(
      `SELECT (SELECT count(*)::integer FROM access_token WHERE client_id = $1) AS tokens,
        (SELECT count(*)::integer FROM revocation_cutoff WHERE value = $1) AS cutoffs,
        (SELECT count(*)::integer FROM audit_event WHERE target = 'client:' || $1 AND action = 'client.deleted') AS deletions`,
      [id],
    );
    return row;
  };
  const gone = { tokens: 0, cutoffs: 1, deletions: 1 };
  return {
    success: 204,
    send: (sender) => statusOf(say(sender, `DELETE /clients/${id}`, call)),
    settle: async (other) => {
      const read = await say(other, `GET /clients/${id}`, { token: MASTER });
      const isDone = read.status === 404;
      expect(await left()).toEqual(isDone ? gone : { tokens: TOKENS, cutoffs: 0, deletions: 0 });
      const again = await say(other, `DELETE /clients/${id}`, call);
      expect(again.status).toBe(isDone ? 401 : 204);
      expect(await left()).toEqual(gone);
      return isDone;
    },
    // One of its tokens, so that the client and some other tokens are deleted already.
    obstacle: {
      statement: `SELECT FROM access_token WHERE digest = sha256(convert_to($1 || ${TOKENS}, 'UTF8')) FOR UPDATE`,
      values: [id],
    },
  };
}

/** The status of a response; nothing without one. */
function statusOf(sent: Promise<ApiResponse>): Promise<number | undefined> {
  return sent.then(
    ({ status }) => status,
    () => undefined,
  );
}
