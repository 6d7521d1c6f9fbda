/** A problem of the configuration. */
export interface SettingsProblem {
  /** The environment variable. */
  readonly name: string;
  /** The problem, without quoting the value. */
  readonly problem: string;
}

/** Invalid configuration. The message has one line per problem and no values. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly SettingsProblem[];

  constructor(problems: readonly SettingsProblem[]) {
    super(problems.map(({ name, problem }) => `${name}: ${problem}`).join('\n'));
    this.problems = problems;
  }
}
