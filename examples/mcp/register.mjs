// Registers the MCP server at the authorization server of DATA_DIR, and writes what it needs into server.env.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const MCP_URL = 'http://localhost:3400/mcp';

const read = (name) => readFileSync(join(process.env.DATA_DIR, name), 'utf8').trim();
const issuer = read('base-url');
const masterToken = read('master-token');
const response = await fetch(`${issuer}/clients`, {
  method: 'POST',
  headers: { authorization: `Bearer ${masterToken}`, 'content-type': 'application/json' },
  body: JSON.stringify({
    client_name: 'Notes',
    // Both permit it to introspect tokens.
    grant_types: ['client_credentials'],
    scope: `${issuer}/token/introspect`,
    // Clients request tokens for this address (RFC 8707), and tokens name it in their audience.
    resource_identifiers: [MCP_URL],
  }),
});
const client = await response.json();
if (!response.ok) throw new Error(`${response.status} ${client.error_description}`);
const settings = {
  ISSUER: issuer,
  MCP_URL,
  CLIENT_ID: client.client_id,
  CLIENT_SECRET: client.client_secret,
};
const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
writeFileSync('server.env', lines.join(''), { mode: 0o600 });
console.log(`registered ${client.client_id} in server.env`);
