// An MCP server with two tools, which only accepts access tokens of Vestibule: node --env-file=server.env server.mjs
import process from 'node:process';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createResourceServer } from '@vestibule/resource-server';
import { serveMetadata } from '@vestibule/resource-server/express';
import { protect } from '@vestibule/resource-server/mcp';
import { z } from 'zod';

const { ISSUER, MCP_URL, CLIENT_ID, CLIENT_SECRET } = process.env;

/** The scope value that each tool needs. */
const TOOL_SCOPES = new Map([
  ['list_notes', 'notes:read'],
  ['add_note', 'notes:write'],
]);

const resourceServer = createResourceServer({
  issuer: ISSUER,
  credentials: { method: 'client_secret_basic', clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  resource: { identifier: MCP_URL, name: 'Notes', scopes: [...TOOL_SCOPES.values()] },
  changes: {},
});

/** The notes of each end-user, by their subject at the issuer. */
const notes = new Map();
const notesOf = ({ extra: { subject } }) => notes.get(subject) ?? [];
const text = (content) => ({ content: [{ type: 'text', text: content }] });

function createNotesServer() {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  server.registerTool('list_notes', { description: 'Lists your notes' }, ({ authInfo }) =>
    text(notesOf(authInfo).join('\n') || 'no notes'),
  );
  const note = { note: z.string().min(1).max(1_000) };
  server.registerTool(
    'add_note',
    { description: 'Adds a note', inputSchema: note },
    (added, { authInfo }) => {
      notes.set(authInfo.extra.subject, [...notesOf(authInfo), added.note]);
      return text('added');
    },
  );
  return server;
}

/** The scope values of the tools that a request calls; a request may be a batch. */
function neededScopes(body) {
  const calls = [body].flat().filter((message) => message?.method === 'tools/call');
  return calls.flatMap(({ params }) => TOOL_SCOPES.get(params?.name) ?? []);
}

/** Refuses a call if the token lacks the scope of the tool, and names the scope to ask for (RFC 6750 section 3.1). */
function requireToolScopes(request, response, next) {
  const { scopes } = request.auth;
  const missing = neededScopes(request.body).filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return next();
  const scope = [...new Set([...scopes, ...missing])].join(' ');
  const metadata = resourceServer.metadata().url;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${metadata}"`;
  return response.status(403).set('WWW-Authenticate', challenge).json({ error: 'insufficient_scope' });
}

const app = createMcpExpressApp();
app.use(serveMetadata(resourceServer));
app.use('/mcp', protect(resourceServer), requireToolScopes);
app.post('/mcp', async (request, response) => {
  const server = createNotesServer();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  response.on('close', () => server.close());
  await server.connect(transport);
  // Only the body whose scope was checked: without one, the transport would read the request itself.
  await transport.handleRequest(request, response, request.body ?? {});
});
app.all('/mcp', (_request, response) => response.status(405).set('Allow', 'POST').end());

app.listen(Number(new URL(MCP_URL).port), '127.0.0.1', () => console.log(`Notes is ready at ${MCP_URL}`));
