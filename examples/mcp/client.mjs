// An MCP client that registers itself, has you log in, calls both tools, and notices when you log out.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { auth, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [MCP_URL = 'http://localhost:3400/mcp'] = process.argv.slice(2);

/** Receives the authorization response on a loopback port, as native applications do (RFC 8252 section 7.3). */
class Callback {
  static async open() {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Callback(server);
  }

  constructor(server) {
    this.server = server;
    this.url = `http://127.0.0.1:${server.address().port}/callback`;
  }

  /** Resolves with the parameters of the next response. */
  async parameters() {
    const [{ url }, response] = await once(this.server, 'request');
    response.setHeader('Connection', 'close').end('You can close this window.\n');
    return new URL(url, this.url).searchParams;
  }

  close() {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** What the SDK needs to know for OAuth. It stays in memory; an application stores it. */
class Account {
  constructor(redirectUrl) {
    this.redirectUrl = redirectUrl;
    this.clientMetadata = {
      client_name: 'Notes on the command line',
      application_type: 'native',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
  }

  state() {
    this.expectedState = randomUUID();
    return this.expectedState;
  }

  clientInformation() {
    return this.client;
  }

  saveClientInformation(client) {
    this.client = client;
    console.log(`registered as ${client.client_id}`);
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens) {
    this.saved = tokens;
  }

  invalidateCredentials() {
    this.saved = undefined;
  }

  saveDiscoveryState(state) {
    this.discovered = state;
  }

  discoveryState() {
    return this.discovered;
  }

  saveCodeVerifier(verifier) {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }

  redirectToAuthorization(url) {
    console.log(`Log in: ${url}`);
  }
}

async function connect(account) {
  const client = new Client({ name: 'notes-client', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(MCP_URL), { authProvider: account });
  await client.connect(transport);
  return client;
}

/** Lets the SDK discover the authorization server and register; then waits for the login and fetches tokens. */
async function logIn(account, callback) {
  if ((await auth(account, { serverUrl: MCP_URL })) === 'AUTHORIZED') return;
  const parameters = await callback.parameters();
  if (parameters.get('state') !== account.expectedState)
    throw new Error('this is no response to our request');
  const authorizationCode = parameters.get('code');
  if (authorizationCode === null) throw new Error(`no login: ${parameters.get('error')}`);
  await auth(account, { serverUrl: MCP_URL, authorizationCode });
}

async function call(client, name, parameters = {}) {
  const { content } = await client.callTool({ name, arguments: parameters });
  console.log(`${name}: ${content[0].text}`);
}

/** Calls until the server refuses the token. The SDK then tries the refresh token, which is refused too. */
async function untilRefused(client) {
  try {
    for (;;) {
      await client.callTool({ name: 'list_notes' });
      await pause(500);
    }
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
}

const callback = await Callback.open();
const account = new Account(callback.url);
await logIn(account, callback);
const client = await connect(account);
await call(client, 'add_note', { note: 'Buy milk' });
await call(client, 'list_notes');

const { access_token: first } = account.saved;
await auth(account, { serverUrl: MCP_URL });
console.log(account.saved.access_token === first ? 'the same token' : 'refreshed');
await call(client, 'list_notes');

console.log(`Log out: ${account.discovered.authorizationServerMetadata.end_session_endpoint}`);
await untilRefused(client);
console.log('logged out: the server refuses the token');
await client.close();
callback.close();
