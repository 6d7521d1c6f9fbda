import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cost, summarizeProfile } from './measure/cpu-profile.js';
import { runTarget } from './measure/run-target.js';
import type { TestEnvironment } from './test-environment/test-environment.js';
import { OURS, type Workload } from './workloads/workload.js';

const FUNCTIONS = 40;
const PACKAGES = 20;

/** The folder of a run's profiles. */
export function profileFolder(testEnvironmentFolder: string): string {
  return join(testEnvironmentFolder, 'profiles');
}

/** The Node options that make a service write a profile when it exits. */
export function profileOptions(testEnvironmentFolder: string): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${profileFolder(testEnvironmentFolder)}`];
}

/** Runs our target of a comparison once and prints where its CPU time went. */
export async function profileWorkload(testEnvironment: TestEnvironment, workload: Workload): Promise<string> {
  if (workload.kind !== 'comparison') return `${workload.id} cannot be profiled.`;
  const targets = await workload.targets();
  if (typeof targets === 'string') return targets;
  const ours = targets.find(({ name }) => name === OURS);
  if (ours === undefined) return `${workload.id} has no target of ours.`;
  const folder = profileFolder(testEnvironment.folder);
  // Removes the profile of the earlier start, which only probed the response.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await runTarget(testEnvironment, ours, workload.connections);
  const [file] = await readdir(folder);
  if (file === undefined) return 'The service wrote no profile.';
  const { packages, functions } = summarizeProfile(JSON.parse(await readFile(join(folder, file), 'utf8')));
  const table = (costs: readonly Cost[], most: number) =>
    costs.slice(0, most).map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  return [workload.title, '', ...table(packages, PACKAGES), '', ...table(functions, FUNCTIONS)].join('\n');
}
