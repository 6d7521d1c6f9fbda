import { SettingsError, type SettingsProblem } from './load-settings.js';

/** Loaders of several services, by name. */
export type Loaders<Configs> = { readonly [Name in keyof Configs]: () => Configs[Name] };

/**
 * Runs the loaders of a process with the settings of several services, so that all problems are reported at once; a
 * problem of several loaders is reported once.
 * @throws SettingsError with every problem
 */
export function loadEach<Configs extends object>(loaders: Loaders<Configs>): Configs {
  const problems = new Map<string, SettingsProblem>();
  const configs: Partial<Configs> = {};
  for (const name of Object.keys(loaders) as (keyof Configs)[]) {
    try {
      configs[name] = loaders[name]();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const problem of error.problems) problems.set(problem.name, problem);
    }
  }
  if (problems.size > 0) throw new SettingsError([...problems.values()]);
  return configs as Configs;
}
