import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cost, summariseProfile } from './measure/cpu-profile.js';
import { runContestant } from './measure/run-contestant.js';
import type { Stage } from './stage/stage.js';
import { OURS, type Workload } from './workloads/workload.js';

const FUNCTIONS = 40;
const PACKAGES = 20;

/** Where the profiles of a run lie. */
export function profileFolder(stageFolder: string): string {
  return join(stageFolder, 'profiles');
}

/** The options of Node that make a service write a profile when it ends. */
export function profileOptions(stageFolder: string): readonly string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${profileFolder(stageFolder)}`];
}

/** Runs our side of a comparison once and tells where its time went. */
export async function profileWorkload(stage: Stage, workload: Workload): Promise<string> {
  if (workload.kind !== 'comparison') return `${workload.id} cannot be profiled.`;
  const contestants = await workload.contestants();
  if (typeof contestants === 'string') return contestants;
  const ours = contestants.find(({ name }) => name === OURS);
  if (ours === undefined) return `${workload.id} has nothing of ours.`;
  const folder = profileFolder(stage.folder);
  // The service was started before, to see what it answers.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await runContestant(stage, ours, workload.connections);
  const [file] = await readdir(folder);
  if (file === undefined) return 'The service wrote no profile.';
  const { packages, functions } = summariseProfile(JSON.parse(await readFile(join(folder, file), 'utf8')));
  const table = (costs: readonly Cost[], most: number) =>
    costs.slice(0, most).map(({ name, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${name}`);
  return [workload.title, '', ...table(packages, PACKAGES), '', ...table(functions, FUNCTIONS)].join('\n');
}
