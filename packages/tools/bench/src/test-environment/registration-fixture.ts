import { openConnection } from '../load/connection.js';
import { type RunningServiceProcess, startService } from '../servers/service.js';
import { type Installation, openInstallation } from './installation.js';
import { kept, type TestEnvironment } from './test-environment.js';

/** The fixture of workloads on registration. */
export interface RegistrationFixture {
  installation(): Promise<Installation>;
  /** Reduces the database to one client, with everything flushed to disk. @returns its identifier */
  reset(): Promise<string>;
  /** The number of clients. */
  countClients(): Promise<number>;
  /** Starts the service on the core of the server under test. */
  startService(): Promise<RunningServiceProcess>;
}

/** Creates a fixture that is opened on first use. @param request registers the remaining client */
export function registrationFixture(testEnvironment: TestEnvironment, request: string): RegistrationFixture {
  const { nodeOptions, pinning } = testEnvironment;
  const start = async (environment: Installation['environment']) =>
    startService({ name: 'registration', environment, prefix: pinning.serverPrefix, nodeOptions });
  const installation = kept(async () => {
    const opened = await openInstallation(testEnvironment, 'bench_registration', 'fresh');
    const service = await start(opened.environment);
    const connection = await openConnection(service.port);
    const { status, body } = await connection.send(request);
    connection.close();
    await service.process.stop();
    if (status !== 200) throw new Error(`the registration service refused the client: ${status} ${body}`);
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
