import { CODE_FLOW, code, type KnownClient, PUBLIC, report, unverified } from './known-client.js';

/** Clients that run on servers, and so have https callbacks. */
export const HOSTED_CLIENTS: readonly KnownClient[] = [
  {
    name: 'ChatGPT',
    source: report('danielealbano/android-remote-control-mcp/pull/166'),
    registration: {
      client_name: 'ChatGPT',
      redirect_uris: [
        'https://chatgpt.com/connector_platform_oauth_redirect',
        'https://chatgpt.com/connector/oauth/Qx7hT2',
      ],
      ...PUBLIC,
    },
    redirectUris: [
      'https://chatgpt.com/connector/oauth/Qx7hT2',
      'https://chatgpt.com/connector_platform_oauth_redirect',
    ],
  },
  {
    name: 'Claude (web, desktop, mobile)',
    source: report('anthropics/claude-ai-mcp/issues/1043'),
    registration: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...CODE_FLOW,
      token_endpoint_auth_method: 'client_secret_post',
    },
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    name: 'Claude (web, desktop, mobile), as a public client',
    source: report('KeeperHub/keeperhub/pull/963'),
    registration: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      ...PUBLIC,
    },
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    name: 'LibreChat',
    source: code('danny-avila/LibreChat', 'packages/api/src/mcp/oauth/handler.ts'),
    registration: {
      client_name: 'LibreChat MCP Client',
      redirect_uris: ['https://chat.example.org/api/mcp/notes/oauth/callback'],
      ...CODE_FLOW,
      token_endpoint_auth_method: 'client_secret_basic',
    },
    redirectUris: ['https://chat.example.org/api/mcp/notes/oauth/callback'],
  },
  {
    name: 'Mistral Le Chat',
    source: unverified('koala73/worldmonitor/pull/8305'),
    registration: {
      client_name: 'mistral-mcp-client',
      redirect_uris: ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
      ...PUBLIC,
    },
    redirectUris: ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
  },
  {
    name: 'Open WebUI',
    source: report('buildswithpaul/Frappe_Assistant_Core/issues/65'),
    registration: {
      client_name: 'Open WebUI',
      redirect_uris: ['https://ai.example.org/oauth/clients/mcp:notes/callback'],
      ...CODE_FLOW,
    },
    redirectUris: ['https://ai.example.org/oauth/clients/mcp:notes/callback'],
  },
];
