import { runStep } from './run-step.js';

/** The program of a version of Node, such as `22`, from its package at npm. */
export async function nodeProgram(version: string, folder: string): Promise<string> {
  const program = await runStep(['npx', '-y', `node@${version}`, '-p', 'process.execPath'], { folder });
  return program.trim();
}
