import { openConnection } from '../load/connection.js';
import { type RunningServiceProcess, startService } from '../servers/service.js';
import { type Installation, openInstallation } from './installation.js';
import { kept, type TestEnvironment } from './test-environment.js';

/** What the workloads on registration share. */
export interface RegistrationFixture {
  installation(): Promise<Installation>;
  /** Leaves one client and nothing else in the database, with everything written to disk. @returns its identifier */
  reset(): Promise<string>;
  /** How many clients there are. */
  countClients(): Promise<number>;
  /** Starts the service on the core of the server under test. */
  startService(): Promise<RunningServiceProcess>;
}

/** A scene that is set when it is first needed. @param request registers the client that stays */
export function registrationFixture(testEnvironment: TestEnvironment, request: string): RegistrationFixture {
  const { nodeOptions, pinning } = testEnvironment;
  const start = async (environment: Installation['environment']) =>
    startService({ name: 'registration', environment, prefix: pinning.serverPrefix, nodeOptions });
  const installation = kept(async () => {
    const opened = await openInstallation(testEnvironment, 'bench_registration', 'fresh');
    const service = await start(opened.environment);
    const connection = await openConnection(service.port);
    const { status, body } = await connection.ask(request);
    connection.close();
    await service.process.stop();
    if (status !== 200) throw new Error(`the registration service refuses the client: ${status} ${body}`);
    await opened.pool.query('CREATE TABLE kept_client AS SELECT * FROM client');
    return opened;
  });
  return {
    installation,
    reset: async () => {
      const { pool } = await installation();
      await pool.query('TRUNCATE client CASCADE');
      await pool.query('INSERT INTO client SELECT * FROM kept_client');
      await pool.query('CHECKPOINT');
      const { rows } = await pool.query<{ id: string }>('SELECT id FROM client');
      return rows[0]?.id ?? '';
    },
    countClients: async () => {
      const { rows } = await (await installation()).pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM client',
      );
      return rows[0]?.count ?? 0;
    },
    startService: async () => start((await installation()).environment),
  };
}
