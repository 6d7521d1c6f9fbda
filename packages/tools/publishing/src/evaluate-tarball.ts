import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { runStep } from './run-step.js';

/**
 * The problems of a packed package, as sentences; none when it can be published.
 *
 * Types are checked with ES module resolution. Packages that use `require` get the same modules from Node 20.19 on, and
 * resolution without export maps is not supported: problems about these two are ignored.
 */
export async function evaluateTarball(tarball: string): Promise<readonly string[]> {
  const bytes = await readFile(tarball);
  return [...(await evaluateLicense(tarball)), ...(await lint(bytes)), ...(await evaluateTypes(bytes))];
}

/** The package manager adds the licence of the workspace only where it finds no other one, at any depth. */
async function evaluateLicense(tarball: string): Promise<string[]> {
  const names = await runStep(['tar', '-tzf', tarball], { folder: dirname(tarball) });
  return names.split('\n').includes('package/LICENSE') ? [] : ['brings no LICENSE'];
}

async function lint(bytes: Buffer): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function evaluateTypes(bytes: Buffer): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!analysis.types) return ['brings no types'];
  return analysis.problems.filter(isAboutModules).map((problem) => `types: ${JSON.stringify(problem)}`);
}

function isAboutModules(problem: Problem): boolean {
  if (!('resolutionKind' in problem)) return true;
  return problem.resolutionKind === 'node16-esm' || problem.resolutionKind === 'bundler';
}
