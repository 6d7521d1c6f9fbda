import pg from 'pg';
import { StandbyServerError } from './database-errors.js';

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. */
    getStartupConf(): Readonly<Record<string, string>>;
  }
}

/** A parameter that the server reports by itself, at first and whenever it changes. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * A connection whose commits wait until they are on disk, and on a synchronous standby where there is one: the startup
 * parameter takes precedence over what the role, the database, the server, the address and `PGOPTIONS` say.
 */
export class PrimaryClient extends pg.Client {
  #isStandby = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      // Reported since PostgreSQL 14.
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
  }

  override getStartupConf(): Readonly<Record<string, string>> {
    return { ...super.getStartupConf(), synchronous_commit: 'on' };
  }

  /**
   * Refuses a standby, on which reads succeed and are late.
   * @throws StandbyServerError
   */
  requirePrimary(): void {
    if (this.#isStandby) throw new StandbyServerError();
  }
}
