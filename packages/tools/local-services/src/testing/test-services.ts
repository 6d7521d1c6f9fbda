/** The real services of a test run. */
export interface TestServices {
  /** The administrator's connection URL of the run's PostgreSQL. */
  readonly postgresUrl: string;
  /** The migrated, empty database that tests copy. */
  readonly templateDatabase: string;
  /** The connection URL of the run's Redis. */
  readonly redisUrl: string;
  /** The number of numbered databases of that Redis. */
  readonly redisDatabases: number;
  /** The file of the tests' secrets, which are searched in both services after all tests. */
  readonly secretsFile: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Started by the global setup of the test kit. */
    services: TestServices;
  }
}
