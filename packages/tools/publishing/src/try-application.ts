import { join } from 'node:path';
import { documentedExamples } from './documented-examples.js';
import type { ExampleServices } from './example-services.js';
import { COMPILED } from './outside-application.js';
import { oneLine } from './readme-example.js';
import { runStep } from './run-step.js';

/** How the application is run. */
export interface Trial {
  /** The folder of the application. */
  readonly folder: string;
  /** The program of Node. */
  readonly node: string;
  readonly services: ExampleServices;
}

/**
 * Runs every documented example, and loads every entry point with `import` and with `require`.
 * @returns what went wrong, one sentence each
 */
export async function tryApplication({ folder, node, services }: Trial): Promise<readonly string[]> {
  const problems: string[] = [];
  const attempt = async (what: string, work: () => Promise<string | undefined>) => {
    const problem = await work().catch((error: Error) => error.message);
    if (problem !== undefined) problems.push(`${what}: ${problem}`);
  };
  const start = async (file: string, environment = {}) => runStep([node, file], { folder, environment });
  await attempt('import of every entry point', async () => {
    await start(join(COMPILED, 'entry-points.js'));
    return undefined;
  });
  await attempt('require of every entry point', async () => {
    await start('required.cjs');
    return undefined;
  });
  for (const { path, name, example } of documentedExamples())
    await attempt(`the example of ${path}`, async () => {
      const printed = oneLine(
        await start(join(COMPILED, `${name}.js`), await services.variablesOf(example.code)),
      );
      return printed === example.prints ? undefined : `prints ${printed} instead of ${example.prints}`;
    });
  return problems;
}
