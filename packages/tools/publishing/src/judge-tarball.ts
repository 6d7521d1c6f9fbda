import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/**
 * What is wrong with a packed package, in a sentence each; nothing when it can be uploaded.
 *
 * Types are judged as modules of ECMAScript are resolved. Whoever uses `require` gets the same modules from Node 20.19
 * up, and resolution of the time before export maps is not served: what is reported about these two does not count.
 */
export async function judgeTarball(tarball: string): Promise<readonly string[]> {
  const bytes = await readFile(tarball);
  return [...(await lint(bytes)), ...(await judgeTypes(bytes))];
}

async function lint(bytes: Buffer): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function judgeTypes(bytes: Buffer): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!analysis.types) return ['brings no types'];
  return analysis.problems.filter(isAboutModules).map((problem) => `types: ${JSON.stringify(problem)}`);
}

function isAboutModules(problem: Problem): boolean {
  if (!('resolutionKind' in problem)) return true;
  return problem.resolutionKind === 'node16-esm' || problem.resolutionKind === 'bundler';
}
