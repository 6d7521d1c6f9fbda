// An MCP server that accepts tokens with the scope value of the tool that is called.
import { once } from 'node:events';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createResourceServer } from '@vestibule/resource-server';
import { serveMetadata } from '@vestibule/resource-server/express';
import { protect } from '@vestibule/resource-server/mcp';

export const READ = 'notes:read';
export const WRITE = 'notes:write';

function createNotesServer() {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const caller = ({ authInfo: { clientId, extra } }) => ({
    content: [{ type: 'text', text: `${extra.subject} by ${clientId}` }],
  });
  server.registerTool('list_notes', { description: 'Lists your notes' }, caller);
  server.registerTool('add_note', { description: 'Adds a note' }, caller);
  return server;
}

/** Starts the server at its address, as the resource server with these credentials. */
export async function startNotes(address, issuer, { client_id: clientId, client_secret: clientSecret }) {
  const notes = createResourceServer({
    issuer,
    credentials: { method: 'client_secret_basic', clientId, clientSecret },
    resource: { identifier: address, scopes: [READ, WRITE] },
    changes: {},
  });
  const [reading, writing] = [READ, WRITE].map((scope) => protect(notes, { scope }));
  const app = createMcpExpressApp();
  app.use(serveMetadata(notes));
  app.post(
    '/mcp',
    (request, response, next) =>
      (request.body.params?.name === 'add_note' ? writing : reading)(request, response, next),
    async (request, response) => {
      const server = createNotesServer();
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
      response.on('close', () => server.close());
      await server.connect(transport);
      await transport.handleRequest(request, response, request.body);
    },
  );
  app.all('/mcp', (_request, response) => response.status(405).set('Allow', 'POST').end());
  const listening = app.listen(Number(new URL(address).port), '127.0.0.1');
  await once(listening, 'listening');
  return () => {
    listening.closeAllConnections();
    listening.close();
    notes.close();
  };
}
