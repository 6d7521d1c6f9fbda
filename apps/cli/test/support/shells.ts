import { writeFile } from 'node:fs/promises';
import { installDebianPackage, LocalServiceError, runCommand } from '@vestibule/local-services';
import type { Shell } from '../../src/completion/completion-scripts.js';

/** Completes each line in each shell, as if the user typed it and pressed the completion key. */
export const COMPLETED_BY: Readonly<
  Record<Shell, (script: string, lines: readonly string[]) => Promise<readonly string[]>>
> = { bash: completedByBash, zsh: completedByZsh, fish: completedByFish };

/**
 * Ensures that a shell is installed. Installs the Debian package if this process is root and apt is available.
 * @returns the reason if it is missing
 */
export async function missingShell(shell: Shell): Promise<string | undefined> {
  const isThere = async () => (await runCommand('/bin/sh', ['-c', `command -v ${shell}`])).exitCode === 0;
  if (await isThere()) return undefined;
  const missing = `No ${shell} is on PATH: install it (Debian and Ubuntu: apt-get install ${shell}).`;
  try {
    await installDebianPackage({ name: shell, missing, log: (text) => process.stderr.write(`${text}\n`) });
  } catch (error) {
    if (!(error instanceof LocalServiceError)) throw error;
    return error.message;
  }
  return (await isThere()) ? undefined : missing;
}

// bash calls the completion function with the words of the line.
async function completedByBash(script: string, lines: readonly string[]): Promise<readonly string[]> {
  const typed = lines.map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _vestibule; echo "\${COMPREPLY[*]}"`;
  });
  return run('bash', ['--norc', '-c', `source ${script}\n${typed.join('\n')}`]);
}

// fish prints its completions of a line: one per line, with a description after a tab.
async function completedByFish(script: string, lines: readonly string[]): Promise<readonly string[]> {
  const typed = lines.map((line) => `echo (complete -C '${line}' | string split -f 1 \\t)`);
  return run('fish', ['--no-config', '-c', `source ${script}\n${typed.join('\n')}`]);
}

// An interactive zsh on its own terminal. Ctrl-T prints the current line.
async function completedByZsh(script: string, lines: readonly string[]): Promise<readonly string[]> {
  const path = `${script}.typed`;
  await writeFile(
    path,
    `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit; compinit -u -D; source ${script}; zstyle ":completion:*" menu no'
zpty -w shell 'showline() { print -r -- "<""<$BUFFER>"">"; BUFFER= }; zle -N showline; bindkey "^T" showline'
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t\\x14'
  zpty -r shell shown '*<<*>>*'
  print -r -- "\${\${shown##*<<}%%>>*}"
done
zpty -d shell
`,
  );
  const whole = await run('zsh', ['-f', path, ...lines]);
  return whole.map((line) => line.trimEnd().split(' ').at(-1) ?? '');
}

async function run(shell: Shell, args: readonly string[]): Promise<readonly string[]> {
  const { exitCode, output } = await runCommand(shell, args);
  if (exitCode !== 0) throw new Error(`${shell}: ${output}`);
  return output.trimEnd().split('\n');
}
