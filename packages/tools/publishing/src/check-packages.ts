import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evaluateTarball } from './evaluate-tarball.js';
import { startExampleServices } from './example-services.js';
import { FOOTPRINT_PAGE, installedSizes, sizeProblems, writeSizes } from './footprint.js';
import { nodeProgram } from './node-program.js';
import { compileApplication, installApplication } from './outside-application.js';
import { type PackedPackage, packPackages } from './pack-packages.js';
import { runStep } from './run-step.js';
import { tryApplication } from './try-application.js';
import { tryExample } from './try-example.js';
import { publishedPackages } from './workspace-packages.js';

const print = (text: string) => {
  process.stdout.write(`${text}\n`);
};

function report(subject: string, problems: readonly string[]): void {
  print(`${problems.length === 0 ? 'good' : 'BAD '} ${subject}`);
  for (const problem of problems) print(`     ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Installs the packages into an application and runs it with each Node. */
async function checkApplication(
  application: string,
  packed: readonly PackedPackage[],
  programs: readonly string[],
): Promise<void> {
  await installApplication(application, packed, publishedPackages());
  const resolutions = await compileApplication(application);
  print(`good types with ${resolutions.join(' and ')} resolution`);
  const migrate = (url: string) =>
    runStep([process.execPath, 'migrate.js'], { folder: application, environment: { DATABASE_URL: url } });
  const services = await startExampleServices(join(application, 'services'), migrate);
  try {
    for (const node of programs) {
      const version = await runStep([node, '--version'], { folder: application });
      const problems = await tryApplication({ folder: application, node, services });
      report(`entry points and examples with Node ${version.trim()}`, problems);
    }
  } finally {
    await services.stop();
  }
}

const { values } = parseArgs({
  options: { node: { type: 'string', multiple: true }, write: { type: 'boolean', default: false } },
});
const folder = await mkdtemp(join(tmpdir(), 'vestibule-packages-'));
try {
  const programs: string[] = [];
  for (const version of values.node ?? []) programs.push(await nodeProgram(version, folder));
  if (programs.length === 0) programs.push(process.execPath);
  const packed = await packPackages(publishedPackages(), folder);
  for (const { name, tarball } of packed) report(name, await evaluateTarball(tarball));
  const application = join(folder, 'application');
  await checkApplication(application, packed, programs);
  const sizes = installedSizes(application);
  if (values.write) writeSizes(sizes);
  report(`sizes in ${FOOTPRINT_PAGE}`, sizeProblems(sizes));
  const tool = join(folder, 'tool');
  await mkdir(tool);
  print(`\nThe example tool, installed from these packages:\n\n${await tryExample(packed, tool, programs)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
