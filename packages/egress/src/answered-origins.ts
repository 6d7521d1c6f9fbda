/** Capacity; the origin that responded longest ago is forgotten first. */
const MAX_ORIGINS = 10_000;

/** Bounded set of the origins that have responded to a request with HTTP. */
export interface AnsweredOrigins {
  has(origin: string): boolean;
  add(origin: string): void;
}

/** Creates an empty set. */
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
