/** The real services of a test run. */
export interface TestServices {
  /** The administrator's connection address of the run's Postgres. */
  readonly postgresUrl: string;
  /** The migrated, empty database that tests copy. */
  readonly templateDatabase: string;
  /** The connection address of the run's Redis. */
  readonly redisUrl: string;
  /** How many numbered databases that Redis has. */
  readonly redisDatabases: number;
  /** Where the secrets of the tests are noted, which are looked for in both services when all tests have run. */
  readonly secretsFile: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Started by the global setup of the test kit. */
    services: TestServices;
  }
}
