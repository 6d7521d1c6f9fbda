import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess } from './child-process.js';

/** How to run a task of this package. */
export interface ChildTask {
  /** The module of its program in this folder. */
  readonly name: 'burn-cpu' | 'request-pages' | 'verify-tokens';
  readonly configuration: object;
  readonly nodeOptions: readonly string[];
  /** The command prefix that runs it on a separate core. */
  readonly prefix: readonly string[];
}

/** Runs a task in a separate process. @returns its result @throws Error when it ends without one */
export async function runChildTask({
  name,
  configuration,
  nodeOptions,
  prefix,
}: ChildTask): Promise<unknown> {
  const module = fileURLToPath(new URL(`./${name}-task.js`, import.meta.url));
  const { child, complaints, stop } = await startProcess({ module, prefix, nodeOptions, withChannel: true });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the task ${name} failed: ${complaints()}`);
  });
  child.send(configuration);
  try {
    const [result] = await Promise.race([once(child, 'message'), ended]);
    return result;
  } finally {
    ended.catch(() => undefined);
    await stop();
  }
}
