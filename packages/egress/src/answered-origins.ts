/** The most origins that are known to have answered; the one that answered longest ago gives way. */
const MAX_ORIGINS = 10_000;

/** The origins that have answered a request with HTTP, in bounded room. */
export interface AnsweredOrigins {
  has(origin: string): boolean;
  add(origin: string): void;
}

/** Knows no origin yet. */
export function answeredOrigins(maxOrigins: number = MAX_ORIGINS): AnsweredOrigins {
  const known = new Set<string>();
  return {
    has: (origin) => known.has(origin),
    add: (origin) => {
      known.delete(origin);
      known.add(origin);
      const [oldest] = known;
      if (known.size > maxOrigins && oldest !== undefined) known.delete(oldest);
    },
  };
}
