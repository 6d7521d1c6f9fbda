import type { CommandGroup } from '../frame/command-group.js';

/**
 * Every command. One is added with a file of its own, `commands/<group>/<command>.ts`, which exports a
 * `CommandFactory`, and a line here; help, completion and the reference in the README follow from both.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'db',
    summary: 'The schema of the database.',
    commands: [
      {
        name: 'status',
        summary: 'tell whether the database has the schema of this version',
        load: async () => (await import('./db/status.js')).dbStatus,
      },
    ],
  },
  {
    name: 'clients',
    summary: 'The registered clients.',
    commands: [
      {
        name: 'list',
        summary: 'list clients',
        load: async () => (await import('./clients/list.js')).listClients,
      },
      {
        name: 'show',
        summary: 'show a client',
        load: async () => (await import('./clients/show.js')).showClient,
      },
      {
        name: 'create',
        summary: 'register a client',
        load: async () => (await import('./clients/create.js')).createClient,
      },
      {
        name: 'update',
        summary: 'change a client',
        load: async () => (await import('./clients/update.js')).updateRegistration,
      },
      {
        name: 'rotate-secret',
        summary: 'give a client a new secret',
        load: async () => (await import('./clients/rotate-secret.js')).rotateSecret,
      },
      {
        name: 'approve',
        summary: 'approve clients that wait for it',
        load: async () => (await import('./clients/judge-pending.js')).approveClients,
      },
      {
        name: 'reject',
        summary: 'reject clients that wait for approval',
        load: async () => (await import('./clients/judge-pending.js')).rejectClients,
      },
      {
        name: 'delete',
        summary: 'delete clients',
        load: async () => (await import('./clients/delete.js')).deleteClients,
      },
      {
        name: 'import',
        summary: 'import the clients of another server',
        load: async () => (await import('./clients/import.js')).importClients,
      },
      {
        name: 'prune',
        summary: 'delete clients that nobody uses',
        load: async () => (await import('./clients/prune.js')).pruneUnused,
      },
    ],
  },
  {
    name: 'initial-token',
    summary: 'Initial access tokens, with which clients are registered.',
    commands: [
      {
        name: 'create',
        summary: 'issue an initial access token',
        load: async () => (await import('./initial-token/create.js')).createInitialToken,
      },
      {
        name: 'list',
        summary: 'list initial access tokens',
        load: async () => (await import('./initial-token/list.js')).listInitialTokens,
      },
      {
        name: 'revoke',
        summary: 'revoke an initial access token',
        load: async () => (await import('./initial-token/revoke.js')).revokeInitialToken,
      },
    ],
  },
  {
    name: 'federation',
    summary: 'Who is trusted by way of a federation.',
    commands: [
      {
        name: 'explain',
        summary: 'tell why an entity is trusted or not',
        load: async () => (await import('./federation/explain.js')).explainTrust,
      },
      {
        name: 'register',
        summary: 'judge a registration request of an entity',
        load: async () => (await import('./federation/register.js')).registerEntity,
      },
    ],
  },
];
