/** One thing that is wrong with the configuration. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** What is wrong, never quoting the value. */
  readonly problem: string;
}

/** The configuration cannot be used. The message has one line per problem and no value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}
