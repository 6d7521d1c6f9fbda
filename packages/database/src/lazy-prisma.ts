import { type PrismaConnections, PrismaStatementError, prismaPool } from './prisma-pool.js';

/** Prisma Client. Its statements run like all others, and fail with the errors of the database or the driver. */
export type Prisma = Awaited<ReturnType<typeof load>>;

/** Returns Prisma Client, which is loaded on first use. */
export type ObtainPrisma = () => Promise<Prisma>;

/** A Prisma Client that is loaded on first use. */
export interface LazyPrisma {
  readonly obtain: ObtainPrisma;
  /** Disconnects the client if it was loaded. It cannot be obtained afterwards. */
  disconnect(): Promise<void>;
}

/**
 * Creates a lazy Prisma Client. The client and its query compiler take tens of megabytes and tenths of a second to load,
 * so processes that only read and write tokens and clients do not load it.
 */
export function lazyPrisma(connections: PrismaConnections): LazyPrisma {
  let loading: Promise<Prisma> | undefined;
  let isOver = false;
  return {
    obtain: () => {
      if (isOver) return Promise.reject(new Error('the database is closed'));
      loading ??= load(connections);
      return loading;
    },
    disconnect: async () => {
      isOver = true;
      await (await loading)?.$disconnect();
    },
  };
}

async function load(connections: PrismaConnections) {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([
    import('./generated/client.js'),
    import('@prisma/adapter-pg'),
  ]);
  const client = new PrismaClient({ adapter: new PrismaPg(prismaPool(connections)) });
  return client.$extends({ query: { $allOperations: ({ args, query }) => query(args).catch(reveal) } });
}

function reveal(error: unknown): never {
  throw error instanceof PrismaStatementError ? error.cause : error;
}
