// A client and a server of MCP, with the stack between them: registered by the client itself, and by its document.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Account } from './account.mjs';
import { register } from './register.mjs';
import { ensure, reportVersion, step } from './report.mjs';
import { READ, startNotes, WRITE } from './server.mjs';

const { BASE_URL, DOCUMENTS_FOLDER, DOCUMENTS_URL, PORT } = process.env;
const MCP_URL = `http://127.0.0.1:${PORT}/mcp`;
/** The time within which the server refuses an ended token, in milliseconds. */
const REVOCATION_MS = 1_000;
const metadata = {
  client_name: 'Notes on the command line',
  // No server listens there: the browser says where it was sent.
  redirect_uris: ['http://localhost:3030/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

/** Calls a tool, and resolves with what it says. */
async function call(options, name = 'list_notes') {
  const client = new Client({ name: 'notes-client', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), options);
  try {
    await client.connect(transport);
    const { content } = await client.callTool({ name });
    return content[0].text;
  } finally {
    await client.close();
  }
}

const callAs = (account) => call({ authProvider: account });
const callWith = (token, name) =>
  call({ requestInit: { headers: { authorization: `Bearer ${token}` } } }, name);

async function expectRefusal(work, isExpected) {
  const error = await work().then(
    (text) => new Error(`the server says ${text}`),
    (reason) => reason,
  );
  ensure(isExpected(error), `${error.name} ${error.code ?? ''} ${error.message}`);
}

async function expectCaller(account) {
  const text = await callAs(account);
  ensure(text === `alice by ${account.client.client_id}`, `the server says ${text}`);
}

/** Waits until an ended token is no longer accepted; the server caches it for a moment. */
async function untilRefused(token) {
  const deadlineMs = performance.now() + REVOCATION_MS;
  const isAccepted = () =>
    callWith(token).then(
      () => true,
      () => false,
    );
  while (performance.now() < deadlineMs && (await isAccepted())) await pause(5);
  await expectRefusal(
    () => callWith(token),
    ({ code }) => code === 401,
  );
}

/** Runs the life of a client, from discovery to logout. */
async function tryClient(way, account) {
  const wayStep = (name, work) => step(`${way}: ${name}`, work);
  await wayStep('discover, log in, call a tool', async () => {
    const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), { authProvider: account });
    const client = new Client({ name: 'notes-client', version: '1.0.0' });
    await expectRefusal(
      () => client.connect(transport),
      (error) => error instanceof UnauthorizedError,
    );
    await transport.finishAuth(await account.logIn());
    await expectCaller(account);
    const isDocument = account.client.client_id === account.clientMetadataUrl;
    ensure(
      isDocument === (account.clientMetadataUrl !== undefined),
      `the client is ${account.client.client_id}`,
    );
  });
  await wayStep('refresh, call a tool', async () => {
    const { access_token: first } = account.saved;
    await auth(account, { serverUrl: MCP_URL });
    ensure(account.saved.access_token !== first, 'the access token is the same');
    await expectCaller(account);
  });
  await wayStep('refuse a tool of another scope (403)', () =>
    expectRefusal(
      () => callWith(account.saved.access_token, 'add_note'),
      ({ code }) => code === 403,
    ),
  );
  await wayStep('refuse a revoked token within a second (401)', async () => {
    const { access_token: token } = account.saved;
    const response = await fetch(account.discovered.authorizationServerMetadata.revocation_endpoint, {
      method: 'POST',
      body: new URLSearchParams({ token, client_id: account.client.client_id }),
    });
    ensure(response.ok, `${response.status} ${await response.text()}`);
    await untilRefused(token);
  });
  await wayStep('logout: refuse the access token within a second, and the refresh token', async () => {
    await auth(account, { serverUrl: MCP_URL });
    await expectCaller(account);
    const { access_token: token } = account.saved;
    await account.open(account.discovered.authorizationServerMetadata.end_session_endpoint);
    await untilRefused(token);
    await expectRefusal(
      () => callAs(account),
      (error) => error instanceof UnauthorizedError,
    );
    ensure(account.saved === undefined, 'the refresh token was accepted');
  });
}

reportVersion('@modelcontextprotocol/sdk');

const server = await register({
  client_name: 'Notes',
  grant_types: ['client_credentials'],
  scope: `${BASE_URL}/token/introspect`,
  resource_identifiers: [MCP_URL],
  resource_scopes: `${READ} ${WRITE}`,
});
const stop = await startNotes(MCP_URL, BASE_URL, server);
await tryClient('registers itself', new Account(metadata));
const url = `${DOCUMENTS_URL}/client.json`;
writeFileSync(join(DOCUMENTS_FOLDER, 'client.json'), JSON.stringify({ client_id: url, ...metadata }));
await tryClient('client ID metadata document', new Account(metadata, url));
stop();
