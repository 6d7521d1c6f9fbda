import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { runCommand } from '@vestibule/local-services';
import { DeploymentError } from '../deployment-error.js';
import type { Instruction, Stage } from './read-dockerfile.js';

/** What the steps of a Dockerfile are run with. */
export interface StageRun {
  readonly stages: readonly Stage[];
  /** The folder whose files the build may copy, without those that are left out. */
  readonly context: { readonly folder: string; readonly isIgnored: (path: string) => boolean };
  readonly buildArguments: Readonly<Record<string, string>>;
  /** What commands find in their environment beside what the file says. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** An empty folder: each stage has a folder of its name there, as if it were its root. */
  readonly workFolder: string;
  readonly say: (line: string) => void;
}

interface StageState {
  readonly root: string;
  workdir: string;
  readonly environment: Record<string, string>;
}

/** Where the image of Node has its program; it is this one here. */
const NODE_PROGRAM = '/usr/local/bin/node';

/**
 * Runs the RUN and COPY steps of stages as ordinary commands, each stage in a folder that stands for its root. Steps
 * name places relative to their working folder; what an image would bring along is this machine's.
 * @returns the folder of the last of these stages, at its working folder
 * @throws DeploymentError when a step fails, or cannot be run like this
 */
export async function runStages(run: StageRun, names: readonly string[]): Promise<string> {
  let last = '';
  for (const name of names) {
    const stage = run.stages.find((each) => each.name === name);
    if (stage === undefined) throw new DeploymentError(`The Dockerfile has no stage ${name}.`);
    last = await runStage(run, stage);
  }
  return last;
}

async function runStage(run: StageRun, stage: Stage): Promise<string> {
  const state: StageState = { root: join(run.workFolder, stage.name), workdir: '/', environment: {} };
  await mkdir(state.root, { recursive: true });
  for (const instruction of stage.instructions) await follow(run, state, instruction);
  return join(state.root, state.workdir);
}

async function follow(run: StageRun, state: StageState, { name, text }: Instruction): Promise<void> {
  if (name === 'WORKDIR') {
    state.workdir = text;
    await mkdir(join(state.root, text), { recursive: true });
  } else if (name === 'ENV') {
    for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) state.environment[key] = value;
  } else if (name === 'ARG') {
    state.environment[text] = run.buildArguments[text] ?? '';
  } else if (name === 'COPY') {
    await copy(run, state, text);
  } else if (name === 'RUN') {
    run.say(`RUN ${text}`);
    await execute(run, state, text);
  }
}

async function execute({ environment }: StageRun, state: StageState, text: string): Promise<void> {
  const { exitCode, output } = await runCommand('/bin/sh', ['-c', text], {
    cwd: join(state.root, state.workdir),
    env: { ...environment, ...state.environment },
  });
  if (exitCode !== 0) throw new DeploymentError(`RUN ${text} failed: ${output.trim().slice(-2_000)}`);
}

async function copy(run: StageRun, state: StageState, text: string): Promise<void> {
  const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? [];
  if (source === '') throw new DeploymentError(`COPY ${text} is not known.`);
  const place = join(state.root, target.startsWith('/') ? '' : state.workdir, target);
  const isFromStage = run.stages.some(({ name }) => name === from);
  if (source === NODE_PROGRAM) await copyInto(process.execPath, place);
  else if (from === undefined) await copyContext(run, source, place);
  else if (isFromStage) await copyContents(join(run.workFolder, from, source), place);
  else throw new DeploymentError(`COPY ${text} is from an image.`);
}

async function copyContext({ context }: StageRun, source: string, place: string): Promise<void> {
  const whole = source === '.';
  for (const entry of whole ? await readdir(context.folder) : [source]) {
    const filter = (path: string) => !context.isIgnored(path.slice(join(context.folder, '/').length));
    if (!filter(join(context.folder, entry))) continue;
    await cp(join(context.folder, entry), join(place, entry), { recursive: true, filter });
  }
}

async function copyContents(source: string, place: string): Promise<void> {
  await mkdir(place, { recursive: true });
  for (const entry of await readdir(source))
    await cp(join(source, entry), join(place, entry), { recursive: true, verbatimSymlinks: true });
}

async function copyInto(file: string, place: string): Promise<void> {
  await cp(file, place, { recursive: true });
}
