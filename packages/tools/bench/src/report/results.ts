import { readFile, writeFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { Measurement } from '../measure/measurement.js';

/** What a comparison has measured so far: by contestant, its rounds in order. */
export const ComparisonRuns = Type.Record(Type.String(), Type.Array(Measurement));
/** What a comparison has measured so far: by contestant, its rounds in order. */
export type ComparisonRuns = Static<typeof ComparisonRuns>;

const MeasuredFigure = Type.Object({
  name: Type.String(),
  values: Type.Array(Type.Number()),
  unit: Type.Enum(['ms', 's', 'MB', 'req/s', 'statements', '×', '%']),
  atMost: Type.Optional(Type.Number()),
});

const Results = Type.Object({
  comparisons: Type.Record(Type.String(), ComparisonRuns),
  figures: Type.Record(Type.String(), Type.Array(MeasuredFigure)),
  /** Why a workload has nothing to show. */
  unavailable: Type.Record(Type.String(), Type.String()),
});

/** Everything that was measured, by workload. */
export type Results = Static<typeof Results>;

/** Keeps what is measured, so that an interrupted run can be resumed. */
export interface ResultsFile {
  readonly results: Results;
  save(): Promise<void>;
}

/** Opens the results in a file. @param resume whether those of the last run are to be completed */
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
