import { administrationPool, type ConnectionOptions } from './connection-pool.js';
import type { PrismaClient } from './generated/client.js';

/** Returns the Prisma client, which is loaded on first use. */
export type ObtainPrisma = () => Promise<PrismaClient>;

/** A Prisma client that is loaded on first use. */
export interface LazyPrisma {
  readonly obtain: ObtainPrisma;
  /** Disconnects the client if it was loaded. It cannot be obtained afterwards. */
  disconnect(): Promise<void>;
}

/**
 * Creates a lazy Prisma client with a pool of its own, for administration. The client and its query compiler take tens
 * of megabytes and tenths of a second to load, so services that only read and write tokens and clients do not load it.
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
