// Runs every authorization server scenario of the MCP conformance suite, with each kind of client that it can have.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { register } from './register.mjs';
import { ensure, refusedStep, reportVersion, step, visit } from './report.mjs';

const { BASE_URL, DOCUMENTS_FOLDER, DOCUMENTS_URL, PORT } = process.env;
const RESULTS = 'results';
const RESOURCE = `http://127.0.0.1:${PORT}/mcp`;
const CHECKS = [
  'authorization-server-metadata',
  'authorization-server-metadata-cimd',
  'authorization-code-grant',
];
const metadata = {
  client_name: 'MCP conformance',
  redirect_uris: [`http://127.0.0.1:${PORT}/callback`],
  token_endpoint_auth_method: 'none',
};

/** Registers without a token, as any client of MCP. */
async function registerItself(members) {
  const response = await fetch(`${BASE_URL}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...metadata, ...members }),
  });
  ensure(response.status === 201, `${response.status} ${await response.clone().text()}`);
  return response.json();
}

/** Runs the suite, logs in where it asks a person to, and resolves with its checks. */
async function runSuite({ client_id: id, client_secret: secret }, options = []) {
  rmSync(RESULTS, { recursive: true, force: true });
  const client = ['--client-id', id, ...(secret === undefined ? [] : ['--client-secret', secret])];
  const suite = ['authorization', '--url', BASE_URL, '--port', PORT, '--output-dir', RESULTS];
  const child = spawn('node_modules/.bin/conformance', [...suite, ...client, ...options], {
    stdio: ['ignore', 'pipe', process.stderr],
  });
  const ended = once(child, 'close');
  let output = '';
  let visited;
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    const [, address] = /^(\S+\/authorize\?\S+)$/m.exec(output) ?? [];
    if (address !== undefined) visited ??= visit(address, { session: id });
  });
  await ended;
  await visited;
  process.stderr.write(output);
  return readdirSync(RESULTS).flatMap((folder) =>
    JSON.parse(readFileSync(join(RESULTS, folder, 'checks.json'), 'utf8')),
  );
}

/** Fails unless the suite made all its checks, and each is a success: neither a warning nor skipped. */
async function passSuite(client, options) {
  const checks = await runSuite(client, options);
  const problems = checks.filter(({ status }) => status !== 'SUCCESS');
  ensure(
    problems.length === 0,
    problems.map(({ id, status, errorMessage }) => `${id}: ${status} ${errorMessage}`).join(', '),
  );
  const names = checks.map(({ id }) => id).toSorted();
  ensure(names.join() === CHECKS.toSorted().join(), `the checks are ${names}`);
}

reportVersion('@modelcontextprotocol/conformance');

await step('all 3 checks, no warning: a client that registers itself', async () =>
  passSuite(await registerItself()),
);
await step('all 3 checks, no warning: a client ID metadata document', async () => {
  const document = { ...metadata, client_id: `${DOCUMENTS_URL}/client.json` };
  writeFileSync(join(DOCUMENTS_FOLDER, 'client.json'), JSON.stringify(document));
  await passSuite(document);
});
await step('all 3 checks, no warning: a resource (RFC 8707)', async () => {
  await register({
    client_name: 'MCP server',
    grant_types: ['client_credentials'],
    scope: `${BASE_URL}/token/introspect`,
    resource_identifiers: [RESOURCE],
  });
  await passSuite(await registerItself(), ['--resource', RESOURCE]);
});
// The suite prefers `none` wherever the server lists it, even with a secret, and reports the status alone.
await refusedStep(
  'a client with a secret, which the suite leaves out',
  async () => passSuite(await registerItself({ token_endpoint_auth_method: 'client_secret_basic' })),
  /^authorization-code-grant: FAILURE Invalid status code: 401$/,
);
