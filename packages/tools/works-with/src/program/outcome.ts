import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const StepLine = Type.Object(
  {
    step: Type.String({ minLength: 1 }),
    worked: Type.Boolean(),
    note: Type.Optional(Type.String()),
    refusal: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
);

const VersionLine = Type.Object({ version: Type.String({ minLength: 1 }) }, { additionalProperties: false });

/** One step of a program, as it reports it. */
export type Step = Readonly<Static<typeof StepLine>>;

/** The result of a program. */
export interface Outcome {
  readonly kind: 'ran' | 'failed' | 'not run';
  /** Why it failed or was not run. */
  readonly problem?: string;
  readonly version?: string;
  readonly steps: readonly Step[];
}

/** Whether a row needs no explanation beyond refusals that the server itself explains. */
export function isGood({ kind, steps }: Outcome): boolean {
  if (kind === 'not run') return true;
  return kind === 'ran' && steps.every(({ worked, refusal }) => worked || refusal !== undefined);
}

/**
 * Parses the standard output of a program: a version, and a line for each step. Lines that are not JSON objects come
 * from the library and are ignored.
 */
export function outcomeOf(stdout: string, problem: string | undefined): Outcome {
  const steps: Step[] = [];
  const problems = problem === undefined ? [] : [problem];
  let version: string | undefined;
  for (const line of stdout.split('\n').filter((each) => each.startsWith('{'))) {
    const value = parse(line);
    if (Value.Check(StepLine, value)) steps.push(value);
    else if (Value.Check(VersionLine, value)) version = value.version;
    else problems.push(`it wrote a line that is neither a version nor a step: ${line}`);
  }
  if (version === undefined) problems.push('it reported no version');
  if (steps.length === 0) problems.push('it reported no step');
  const reported = { steps, ...(version !== undefined && { version }) };
  return problems.length === 0
    ? { kind: 'ran', ...reported }
    : { kind: 'failed', problem: problems.join('; '), ...reported };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
