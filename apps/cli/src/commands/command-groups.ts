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
];
