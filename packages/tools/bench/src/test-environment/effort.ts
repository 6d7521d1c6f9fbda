/** How much time a run may take. */
export interface Effort {
  /** How often the servers of a comparison take turns. */
  readonly rounds: number;
  /** Measured time of each turn. */
  readonly seconds: number;
  /** Load before it that is not measured. */
  readonly warmSeconds: number;
  /** How long a server is held at a steady load. */
  readonly holdSeconds: number;
  /** Rows of the workloads about large tables. */
  readonly listedClients: number;
  readonly storedTokens: number;
}

/** What figures are taken with. */
export const FULL: Effort = {
  rounds: 3,
  seconds: 8,
  warmSeconds: 2,
  holdSeconds: 60,
  listedClients: 200_000,
  storedTokens: 10_000_000,
};

/** About five seconds of load for each server of a comparison: tells whether everything works, and roughly how fast. */
export const QUICK: Effort = {
  rounds: 3,
  seconds: 2,
  warmSeconds: 1,
  holdSeconds: 3,
  listedClients: 20_000,
  storedTokens: 100_000,
};
