import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestDatabase, testRedisUrl } from '@vestibule/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedExamples } from './documented-examples.js';
import { oneLine } from './readme-example.js';
import { ROOT } from './root.js';
import { entryPoints, publishedPackages } from './workspace-packages.js';

const run = promisify(execFile);
const HERE = join(ROOT, 'packages', 'tools', 'publishing');
const SEPARATOR = '=== next example';

const EXAMPLES = documentedExamples();
const PUBLISHED = entryPoints(publishedPackages());

/** The compiler options of an application that installed the packages: no condition that leads to sources. */
const COMPILER = {
  extends: join(ROOT, 'tsconfig.base.json'),
  compilerOptions: { declaration: false, sourceMap: false, rootDir: '.', outDir: '.' },
  files: EXAMPLES.map(({ name }) => `${name}.ts`),
};

describe('the examples of the READMEs and guides', () => {
  let folder = '';
  let printed: readonly string[] = [];
  const databases: { drop(): Promise<void> }[] = [];

  beforeAll(async () => {
    // Below the modules of this package, where every package is found by its name.
    mkdirSync(join(HERE, 'node_modules'), { recursive: true });
    folder = mkdtempSync(join(HERE, 'node_modules', '.examples-'));
    for (const { name, example } of EXAMPLES) writeFileSync(join(folder, `${name}.ts`), example.code);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(COMPILER));
    writeFileSync(join(folder, 'run.js'), await runner());
    await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => {
        throw new Error(stdout);
      },
    );
    const { stdout } = await run(process.execPath, [join(folder, 'run.js')], { cwd: folder });
    printed = stdout.split(`${SEPARATOR}\n`).slice(1);
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    for (const database of databases) await database.drop();
  });

  /** Imports one example after the other, each with separate services. */
  async function runner(): Promise<string> {
    const steps = await Promise.all(
      EXAMPLES.map(async ({ name, example }) => {
        const environment: Record<string, string> = {};
        if (example.code.includes('DATABASE_URL')) {
          const database = await createTestDatabase();
          databases.push(database);
          environment['DATABASE_URL'] = database.url;
        }
        if (example.code.includes('REDIS_URL')) environment['REDIS_URL'] = await testRedisUrl();
        return [
          `console.log(${JSON.stringify(SEPARATOR)});`,
          `Object.assign(process.env, ${JSON.stringify(environment)});`,
          `await import('./${name}.js');`,
        ].join('\n');
      }),
    );
    return steps.join('\n');
  }

  it.each(EXAMPLES.map(({ path }, index) => [path, index] as const))(
    'print the documented output with the built packages: %s',
    (_path, index) => {
      expect(oneLine(printed[index] ?? '')).toBe(EXAMPLES[index]?.example.prints);
    },
  );

  it.each(EXAMPLES)('use the package that they document: $uses in $path', ({ uses, example }) => {
    expect(example.code).toMatch(new RegExp(`from '${uses}['/]`));
  });

  it.each(EXAMPLES)('import only what is published: $path', ({ example }) => {
    const imported = [...example.code.matchAll(/from '(@vestibule\/[^']+)'/g)].map(([, point]) => point);
    expect(imported.filter((point = '') => !PUBLISHED.includes(point))).toEqual([]);
  });
});
