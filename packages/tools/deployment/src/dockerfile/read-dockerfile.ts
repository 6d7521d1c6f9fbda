import { DeploymentError } from '../deployment-error.js';

/** One instruction: its name in capitals and the text behind it, continued lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage: what it starts from and what is done there. */
export interface Stage {
  readonly name: string;
  /** Another stage of the file, or an image. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

const FROM = /^(\S+) AS (\S+)$/;
const KNOWN = new Set('ARG CMD COPY ENTRYPOINT ENV HEALTHCHECK RUN STOPSIGNAL USER WORKDIR'.split(' '));

/**
 * The stages of a Dockerfile, in order. Comments are left out.
 * @throws DeploymentError on what this reader does not know: a nameless stage, a flag of FROM, another instruction
 */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const { name, text: rest } of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (name === 'FROM') {
      const [, from, as] = FROM.exec(rest) ?? [];
      if (from === undefined || as === undefined) throw new DeploymentError(`FROM ${rest} names no stage.`);
      stages.push({ name: as, from, instructions: [] });
    } else if (stage === undefined || !KNOWN.has(name)) {
      throw new DeploymentError(`The Dockerfile has ${name} where it is not known.`);
    } else {
      stage.instructions.push({ name, text: rest });
    }
  }
  return stages;
}

function instructionsOf(text: string): readonly Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const whole = lines.join('\n').replaceAll(/\\\n\s*/g, '');
  return whole.split('\n').map((line) => {
    const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
    return { name: name.toUpperCase(), text: rest };
  });
}

/** The words of an instruction in its exec form. @throws DeploymentError when it has another form */
export function execForm(text: string): readonly string[] {
  const words: unknown = text.startsWith('[') ? JSON.parse(text) : undefined;
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new DeploymentError(`${text} is not in the exec form.`);
}

/** What an image of this file does when it starts: the words of its entry point and those of its command. */
export interface StartWords {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
}

/** How an image of a stage starts; what a stage does not say is that of the stage below it. */
export function startWords(stages: readonly Stage[], name: string): StartWords {
  const stage = stages.find((each) => each.name === name);
  if (stage === undefined) return { entrypoint: [], command: [] };
  const below = startWords(stages, stage.from);
  const own = (instruction: string) => stage.instructions.findLast((each) => each.name === instruction)?.text;
  const [entrypoint, command] = [own('ENTRYPOINT'), own('CMD')];
  return {
    entrypoint: entrypoint === undefined ? below.entrypoint : execForm(entrypoint),
    command: command === undefined ? below.command : execForm(command),
  };
}
