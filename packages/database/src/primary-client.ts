import { OutdatedServerError } from '@vestibule/protocol';
import pg from 'pg';
import { StandbyServerError } from './database-errors.js';

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. */
    getStartupConf(): Readonly<Record<string, string>>;
  }
}

/** A parameter that the server reports at the start and on each change. */
interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** The first version of PostgreSQL that reports whether it is a standby. */
const OLDEST_MAJOR = 14;

/**
 * A connection whose commits wait until they are on disk, and on a synchronous standby if there is one, and whose time
 * zone is UTC, because the adapter of Prisma ignores the offsets of times. The startup parameters override settings of
 * the role, the database, the server, the address and `PGOPTIONS`.
 */
export class PrimaryClient extends pg.Client {
  #isStandby = false;
  #version = '';

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
      if (parameterName === 'server_version') this.#version = parameterValue;
    });
  }

  override getStartupConf(): Readonly<Record<string, string>> {
    return { ...super.getStartupConf(), synchronous_commit: 'on', TimeZone: 'UTC' };
  }

  /**
   * Refuses servers before PostgreSQL 14, and standbys, whose data may lag.
   * @throws OutdatedServerError
   * @throws StandbyServerError
   */
  requirePrimary(): void {
    if (Number.parseInt(this.#version, 10) < OLDEST_MAJOR)
      throw new OutdatedServerError(`PostgreSQL ${this.#version.split(' ', 1)[0]}`, String(OLDEST_MAJOR));
    if (this.#isStandby) throw new StandbyServerError();
  }
}
