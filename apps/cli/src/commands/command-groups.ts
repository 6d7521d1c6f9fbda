import type { CommandGroup } from '../frame/cli.js';

/**
 * All commands. To add one, create `commands/<group>/<command>.ts`, which exports a `CommandFactory`, and add a line
 * here. Help, completion and the reference follow from both.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    name: 'db',
    summary: 'The schema of the database.',
    commands: [
      {
        name: 'migrate',
        summary: 'apply pending migrations',
        load: async () => (await import('./db/migrate.js')).dbMigrate,
      },
      {
        name: 'status',
        summary: 'show whether the database has the schema of this version',
        load: async () => (await import('./db/status.js')).dbStatus,
      },
    ],
  },
  {
    name: 'keys',
    summary: 'Signing keys, encryption keys and data keys.',
    commands: [
      {
        name: 'list',
        summary: 'list the keys of every ring',
        load: async () => (await import('./keys/list.js')).keysList,
      },
      {
        name: 'rotate',
        summary: 'rotate the keys of a ring',
        load: async () => (await import('./keys/rotate.js')).keysRotate,
      },
      {
        name: 'generate',
        summary: 'create a pending key',
        load: async () => (await import('./keys/generate.js')).keysGenerate,
      },
      {
        name: 'activate',
        summary: 'activate a pending key',
        load: async () => (await import('./keys/activate.js')).keysActivate,
      },
      {
        name: 'retire',
        summary: 'retire a key',
        load: async () => (await import('./keys/retire.js')).keysRetire,
      },
      {
        name: 'rewrap',
        summary: 'reencrypt everything with the active keys',
        load: async () => (await import('./keys/rewrap.js')).keysRewrap,
      },
    ],
  },
  {
    name: 'tokens',
    summary: 'Tokens of every kind.',
    commands: [
      {
        name: 'inspect',
        summary: 'show the state of an access token',
        load: async () => (await import('./tokens/inspect.js')).tokensInspect,
      },
      {
        name: 'revoke',
        summary: 'revoke a token, or all of a client, end-user or session',
        load: async () => (await import('./tokens/revoke.js')).tokensRevoke,
      },
    ],
  },
  {
    name: 'logout',
    summary: 'Sessions of end-users, and back-channel logout notifications.',
    commands: [
      {
        name: 'deliveries',
        summary: 'list logout notifications',
        load: async () => (await import('./logout/deliveries.js')).logoutDeliveries,
      },
      {
        name: 'redeliver',
        summary: 'deliver logout notifications again',
        load: async () => (await import('./logout/redeliver.js')).logoutRedeliver,
      },
      {
        name: 'end-sessions',
        summary: 'end the sessions of an end-user',
        load: async () => (await import('./logout/end-sessions.js')).logoutEndSessions,
      },
    ],
  },
  {
    name: 'audit',
    summary: 'The audit log of changes.',
    commands: [
      {
        name: 'verify',
        summary: 'verify the hash chain of audit events',
        load: async () => (await import('./audit/verify.js')).auditVerify,
      },
      {
        name: 'export',
        summary: 'export audit events',
        load: async () => (await import('./audit/export.js')).auditExport,
      },
    ],
  },
  {
    name: 'config',
    summary: 'The settings of the services.',
    commands: [
      {
        name: 'check',
        summary: 'check the environment as the services do',
        load: async () => (await import('./config/check.js')).configCheck,
      },
      {
        name: 'reference',
        summary: 'print every setting',
        load: async () => (await import('./config/reference.js')).configReference,
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
        name: 'explain',
        summary: 'show why a client ID metadata document is accepted or refused',
        load: async () => (await import('./clients/explain.js')).explainClient,
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
        summary: 'issue a new client secret',
        load: async () => (await import('./clients/rotate-credentials.js')).rotateSecret,
      },
      {
        name: 'rotate-registration-token',
        summary: 'issue a new registration access token',
        load: async () => (await import('./clients/rotate-credentials.js')).rotateToken,
      },
      {
        name: 'suspend',
        summary: 'disable clients without deleting them',
        load: async () => (await import('./clients/suspend.js')).suspendClients,
      },
      {
        name: 'resume',
        summary: 'resume suspended clients',
        load: async () => (await import('./clients/suspend.js')).resumeClients,
      },
      {
        name: 'approve',
        summary: 'approve pending clients',
        load: async () => (await import('./clients/decide-pending.js')).approveClients,
      },
      {
        name: 'reject',
        summary: 'reject pending clients',
        load: async () => (await import('./clients/decide-pending.js')).rejectClients,
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
        name: 'export',
        summary: 'write clients to files, and let the files own them',
        load: async () => (await import('./clients/export.js')).exportClients,
      },
      {
        name: 'prune',
        summary: 'delete unused clients',
        load: async () => (await import('./clients/prune.js')).pruneUnused,
      },
      {
        name: 'block',
        summary: 'block clients by host, redirect URI or software, and delete them',
        load: async () => (await import('./clients/block.js')).blockRegistrations,
      },
      {
        name: 'unblock',
        summary: 'lift blocks',
        load: async () => (await import('./clients/unblock.js')).unblockRegistrations,
      },
      {
        name: 'blocks',
        summary: 'list the blocks',
        load: async () => (await import('./clients/blocks.js')).listBlocks,
      },
    ],
  },
  {
    name: 'apply',
    summary: 'Clients as files under version control.',
    isCommand: true,
    commands: [
      {
        name: 'apply',
        summary: 'apply the clients that files declare',
        load: async () => (await import('./apply/apply.js')).applyFiles,
      },
    ],
  },
  {
    name: 'initial-token',
    summary: 'Initial access tokens for client registration.',
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
        name: 'uses',
        summary: 'list the clients registered with an initial access token',
        load: async () => (await import('./initial-token/uses.js')).listInitialTokenUses,
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
    summary: 'Trust in federation entities.',
    commands: [
      {
        name: 'explain',
        summary: 'explain why an entity is trusted or not',
        load: async () => (await import('./federation/explain.js')).explainTrust,
      },
      {
        name: 'register',
        summary: 'check a registration request of an entity',
        load: async () => (await import('./federation/register.js')).registerEntity,
      },
      {
        name: 'deny',
        summary: 'deny an entity, and delete its clients',
        load: async () => (await import('./federation/deny.js')).denyEntity,
      },
      {
        name: 'allow',
        summary: 'remove an entity from the deny list',
        load: async () => (await import('./federation/allow.js')).allowEntity,
      },
      {
        name: 'denied',
        summary: 'list denied entities',
        load: async () => (await import('./federation/denied.js')).listDenied,
      },
      {
        name: 'purge',
        summary: 'purge cached statements in every service',
        load: async () => (await import('./federation/purge.js')).purgeStatements,
      },
    ],
  },
  {
    name: 'completion',
    summary: 'Shell completion scripts.',
    commands: [
      {
        name: 'bash',
        summary: 'print the completion script for bash',
        load: async () => (await import('./completion/shell.js')).completionFor('bash'),
      },
      {
        name: 'zsh',
        summary: 'print the completion script for zsh',
        load: async () => (await import('./completion/shell.js')).completionFor('zsh'),
      },
      {
        name: 'fish',
        summary: 'print the completion script for fish',
        load: async () => (await import('./completion/shell.js')).completionFor('fish'),
      },
    ],
  },
];
