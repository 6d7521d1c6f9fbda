/** The permitted duration of a run. */
export interface Effort {
  /** The number of rounds; the servers of a comparison alternate. */
  readonly rounds: number;
  /** Measured time of each turn. */
  readonly seconds: number;
  /** Seconds of load before it that are not measured. */
  readonly warmSeconds: number;
  /** Duration of a steady load. */
  readonly holdSeconds: number;
  /** Rows of the workloads on large tables. */
  readonly listedClients: number;
  readonly storedTokens: number;
}

/** Durations of the published figures. */
export const FULL: Effort = {
  rounds: 3,
  seconds: 8,
  warmSeconds: 2,
  holdSeconds: 60,
  listedClients: 200_000,
  storedTokens: 10_000_000,
};

/** About five seconds of load for each server of a comparison: shows whether everything works, and roughly how fast. */
export const QUICK: Effort = {
  rounds: 3,
  seconds: 2,
  warmSeconds: 1,
  holdSeconds: 3,
  listedClients: 20_000,
  storedTokens: 100_000,
};
