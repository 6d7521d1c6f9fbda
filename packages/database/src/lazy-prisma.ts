import { administrationPool, type ConnectionOptions } from './connection-pool.js';
import type { PrismaClient } from './generated/client.js';

/** Gives the Prisma client, which is loaded when it is first asked for. */
export type ObtainPrisma = () => Promise<PrismaClient>;

/** A Prisma client that may never be needed. */
export interface LazyPrisma {
  readonly obtain: ObtainPrisma;
  /** Lets go of it, if it was loaded; it cannot be obtained any more. */
  disconnect(): Promise<void>;
}

/**
 * The Prisma client over a pool of its own. It is for administration: loading it and its query compiler takes a service
 * tens of megabytes and tenths of a second, so that one which only reads and writes tokens and clients goes without.
 */
export function lazyPrisma(options: ConnectionOptions): LazyPrisma {
  let loading: Promise<PrismaClient> | undefined;
  const load = async () => {
    const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
      import('./generated/client.js'),
      import('@prisma/adapter-pg'),
    ]);
    const pool = administrationPool(options);
    return new PrismaClient({ adapter: new PrismaPg(pool, { disposeExternalPool: true }) });
  };
  let isOver = false;
  return {
    obtain: () => {
      if (isOver) return Promise.reject(new Error('the database is closed'));
      loading ??= load();
      return loading;
    },
    disconnect: async () => {
      isOver = true;
      await (await loading)?.$disconnect();
    },
  };
}
