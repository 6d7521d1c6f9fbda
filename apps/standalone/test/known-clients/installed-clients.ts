import { CODE_FLOW, code, type KnownClient, PUBLIC, report, unverified } from './known-client.js';

/** Editors, desktop applications and programs at the command line. */
export const INSTALLED_CLIENTS: readonly KnownClient[] = [
  {
    name: 'Claude Code',
    source: report('elmohq/elmo/pull/684'),
    registration: {
      client_name: 'Claude Code (notes)',
      application_type: 'native',
      redirect_uris: ['http://localhost:3118/callback'],
      ...PUBLIC,
    },
    redirectUris: ['http://localhost:54545/callback'],
  },
  {
    name: 'Cline (VS Code)',
    source: code('cline/cline', 'src/services/mcp/McpOAuthManager.ts'),
    registration: {
      client_name: 'Cline',
      client_uri: 'https://cline.bot',
      software_id: 'cline',
      redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/5f2b7c'],
      ...PUBLIC,
    },
    redirectUris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/5f2b7c'],
  },
  {
    name: 'Cline (VS Code Insiders)',
    source: code('cline/cline', 'src/services/mcp/McpOAuthManager.ts'),
    registration: {
      client_name: 'Cline',
      client_uri: 'https://cline.bot',
      software_id: 'cline',
      redirect_uris: ['vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/5f2b7c'],
      ...PUBLIC,
    },
    redirectUris: ['vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/5f2b7c'],
  },
  {
    name: 'Codex',
    source: report('elmohq/elmo/pull/684'),
    registration: {
      client_name: 'Codex',
      application_type: 'native',
      redirect_uris: ['http://127.0.0.1:37819/callback/6MFBM1In3Ey-'],
      ...PUBLIC,
    },
    redirectUris: ['http://127.0.0.1:63546/callback/6MFBM1In3Ey-'],
  },
  {
    name: 'Cursor',
    source: report('erp-mafia/accounted/pull/2225'),
    registration: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      ...PUBLIC,
    },
    redirectUris: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8788/callback',
    ],
  },
  {
    name: 'Gemini CLI',
    source: code('google-gemini/gemini-cli', 'packages/core/src/mcp/oauth-provider.ts'),
    registration: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      ...PUBLIC,
      code_challenge_method: ['S256'],
      scope: '',
    },
    redirectUris: ['http://localhost:41234/oauth/callback'],
  },
  {
    name: 'Goose',
    source: code('block/goose', 'crates/goose/src/oauth/mod.rs'),
    registration: {
      client_name: 'goose',
      redirect_uris: ['http://127.0.0.1:40312/oauth_callback'],
      ...PUBLIC,
    },
    redirectUris: ['http://127.0.0.1:51022/oauth_callback'],
  },
  {
    name: 'mcp-remote',
    source: code('geelen/mcp-remote', 'src/lib/node-oauth-client-provider.ts'),
    registration: {
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.37',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      ...PUBLIC,
    },
    redirectUris: ['http://localhost:15420/oauth/callback'],
  },
  {
    name: 'OpenCode',
    source: code('sst/opencode', 'packages/opencode/src/mcp/oauth-provider.ts'),
    registration: {
      client_name: 'OpenCode',
      client_uri: 'https://opencode.ai',
      redirect_uris: ['http://127.0.0.1:19876/mcp/oauth/callback'],
      ...PUBLIC,
    },
    redirectUris: ['http://127.0.0.1:19877/mcp/oauth/callback'],
  },
  {
    name: 'Raycast',
    source: report('dust-tt/dust/blob/HEAD/front/lib/api/mcp_server/oauth_registration.test.ts'),
    registration: {
      client_name: 'Raycast MCP: Notes',
      redirect_uris: ['raycast://oauth?package_name=mcp_server_notes_(dev)'],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    },
    redirectUris: ['raycast://oauth?package_name=mcp_server_notes_(dev)'],
  },
  {
    name: 'Roo Code',
    source: code('RooCodeInc/Roo-Code', 'src/services/mcp/McpOAuthClientProvider.ts'),
    registration: {
      client_name: 'Roo Code',
      redirect_uris: ['http://localhost:12345/callback'],
      ...PUBLIC,
      scope: 'mcp',
    },
    redirectUris: ['http://localhost:23456/callback'],
  },
  {
    name: 'VS Code',
    source: code('microsoft/vscode', 'src/vs/base/common/oauth.ts'),
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      application_type: 'native',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      ...PUBLIC,
    },
    redirectUris: ['http://127.0.0.1:50123/', 'https://vscode.dev/redirect'],
  },
  {
    name: 'VS Code, versions of 2025',
    source: code('microsoft/vscode', 'src/vs/base/common/oauth.ts'),
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost',
        'http://127.0.0.1',
        'http://localhost:33418',
        'http://127.0.0.1:33418',
      ],
      ...PUBLIC,
    },
    redirectUris: ['http://127.0.0.1:50123', 'http://localhost:50123', 'https://vscode.dev/redirect'],
  },
  {
    name: 'Warp',
    source: code('warpdotdev/warp', 'app/src/ai/mcp/templatable_manager/oauth.rs'),
    registration: { client_name: 'Warp', redirect_uris: ['warp://mcp/oauth2callback'], ...PUBLIC },
    redirectUris: ['warp://mcp/oauth2callback'],
  },
  {
    name: 'Windsurf',
    source: unverified('trypostit/trypost/pull/336'),
    registration: {
      client_name: 'Windsurf',
      redirect_uris: ['windsurf://codeium.windsurf/oauth/callback'],
      ...PUBLIC,
    },
    redirectUris: ['windsurf://codeium.windsurf/oauth/callback'],
  },
  {
    name: 'Zed',
    source: code('zed-industries/zed', 'crates/context_server/src/oauth.rs'),
    registration: {
      client_name: 'Zed',
      redirect_uris: ['http://127.0.0.1:12345/callback'],
      ...PUBLIC,
      grant_types: ['authorization_code'],
    },
    redirectUris: ['http://127.0.0.1:54321/callback'],
  },
];

/** Libraries and tools for developers. */
export const DEVELOPER_CLIENTS: readonly KnownClient[] = [
  {
    name: 'FastMCP',
    source: code('PrefectHQ/fastmcp', 'src/fastmcp/client/auth/oauth.py'),
    registration: {
      client_name: 'FastMCP Client',
      redirect_uris: ['http://localhost:49831/callback'],
      ...CODE_FLOW,
    },
    redirectUris: ['http://localhost:49832/callback'],
  },
  {
    name: 'MCP Inspector',
    source: code('modelcontextprotocol/inspector', 'client/src/lib/auth.ts'),
    registration: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
      ...PUBLIC,
      scope: '',
    },
    redirectUris: ['http://localhost:6274/oauth/callback', 'http://localhost:6275/oauth/callback/debug'],
  },
  {
    name: 'MCP Python SDK, example client',
    source: code(
      'modelcontextprotocol/python-sdk',
      'examples/clients/simple-auth-client/mcp_simple_auth_client/main.py',
    ),
    registration: {
      client_name: 'Simple Auth Client',
      redirect_uris: ['http://localhost:3030/callback'],
      ...CODE_FLOW,
    },
    redirectUris: ['http://localhost:3030/callback'],
  },
  {
    name: 'MCP TypeScript SDK, example client',
    source: code('modelcontextprotocol/typescript-sdk', 'src/examples/client/simpleOAuthClient.ts'),
    registration: {
      client_name: 'Simple OAuth MCP Client',
      redirect_uris: ['http://localhost:8090/callback'],
      ...CODE_FLOW,
      token_endpoint_auth_method: 'client_secret_post',
    },
    redirectUris: ['http://localhost:8090/callback'],
  },
];
