import { readFile, writeFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Measurement } from '../measure/measurement.js';

/** The measurements of a comparison so far: rounds in order, by target. */
export const ComparisonRuns = Type.Record(Type.String(), Type.Array(Measurement));
/** The measurements of a comparison so far: rounds in order, by target. */
export type ComparisonRuns = Static<typeof ComparisonRuns>;

const MeasuredFigure = Type.Object({
  name: Type.String(),
  values: Type.Array(Type.Number()),
  unit: Type.Enum(['µs', 'ms', 's', 'KB', 'MB', 'req/s', 'calls/s', 'statements', '×', '%']),
  atMost: Type.Optional(Type.Number()),
  atLeast: Type.Optional(Type.Number()),
});

const Results = Type.Object({
  comparisons: Type.Record(Type.String(), ComparisonRuns),
  figures: Type.Record(Type.String(), Type.Array(MeasuredFigure)),
  /** Why a workload has no result. */
  unavailable: Type.Record(Type.String(), Type.String()),
});

/** All measurements, by workload. */
export type Results = Static<typeof Results>;

/** Stores measurements, so that an interrupted run can be resumed. */
export interface ResultsFile {
  readonly results: Results;
  save(): Promise<void>;
}

/** Opens the results file. @param resume whether to complete the last run */
export async function openResults(file: string, resume: boolean): Promise<ResultsFile> {
  const results = (resume ? await read(file) : undefined) ?? {
    comparisons: {},
    figures: {},
    unavailable: {},
  };
  return { results, save: () => writeFile(file, JSON.stringify(results)) };
}

async function read(file: string): Promise<Results | undefined> {
  try {
    return Value.Parse(Results, JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
