import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { productionDependencies } from './production-dependencies.js';
import { ROOT } from './root.js';
import { publishedPackages, type WorkspacePackage } from './workspace-packages.js';

/** The page with the table of what an installation of each package brings along. */
export const FOOTPRINT_PAGE = 'packages/guides/use-the-packages.md';

/** Stores, frameworks and clients by the packages that they consist of. */
const LIBRARIES: Readonly<Record<string, RegExp>> = {
  Fastify: /^fastify$|^@fastify\//,
  ioredis: /^ioredis$/,
  OpenTelemetry: /^@opentelemetry\//,
  pg: /^pg$/,
  Prisma: /^prisma$|^@prisma\//,
  undici: /^undici$/,
};

/** The megabytes of an installation, by the folder of the package. */
export type Sizes = ReadonlyMap<string, number>;

const BEGIN = '<!-- footprint:begin -->';
const END = '<!-- footprint:end -->';
/** A size may differ this much from the table: programs for other machines are larger or smaller. */
const TOLERANCE_MEGABYTES = 2;

/** The libraries that an installation of a package brings along, as the lockfile has it. */
export function librariesOf({ folder }: WorkspacePackage): readonly string[] {
  const names = productionDependencies(join(ROOT, folder)).map(({ name }) => name);
  return Object.keys(LIBRARIES).filter((library) => names.some((name) => LIBRARIES[library]?.test(name)));
}

/** The table for given sizes; counts and libraries are those of the lockfile. */
export function footprintTable(sizes: Sizes): string {
  const rows = publishedPackages().map((published) => {
    const { folder } = published;
    const name = `[${basename(folder)}](../${basename(folder)})`;
    const count = productionDependencies(join(ROOT, folder)).length + 1;
    const libraries = librariesOf(published).join(', ');
    return `| ${name} | ${count} | ${(sizes.get(folder) ?? Number.NaN).toFixed(1)} | ${libraries} |`;
  });
  return ['| package | installed packages | MB | libraries |', '|---|---|---|---|', ...rows].join('\n');
}

/** The sizes in the table of the page. */
export function documentedSizes(page: string): Sizes {
  const rows = [...tableOf(page).matchAll(/^\| \[([\w-]+)\]\([^)]*\) \| \d+ \| ([\d.]+) \|/gm)];
  return new Map(rows.map(([, name, megabytes]) => [`packages/${name}`, Number(megabytes)]));
}

/** The table of the page. @throws Error if there is none */
export function tableOf(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${FOOTPRINT_PAGE} has no table of footprints`);
  return page.slice(begin + BEGIN.length, end).trim();
}

/** The sizes of every published package in an application into which all of them are installed. */
export function installedSizes(application: string): Sizes {
  return new Map(
    publishedPackages().map(({ folder, manifest }) => {
      const installed = join(application, 'node_modules', manifest.name);
      const folders = [installed, ...productionDependencies(installed).map((each) => each.folder)];
      const bytes = folders.reduce((sum, each) => sum + ownBytes(each), 0);
      return [folder, bytes / 1e6];
    }),
  );
}

/** The sizes that the page does not state, or states wrongly. */
export function sizeProblems(sizes: Sizes): readonly string[] {
  const documented = documentedSizes(readFileSync(join(ROOT, FOOTPRINT_PAGE), 'utf8'));
  return [...sizes].flatMap(([folder, megabytes]) => {
    const stated = documented.get(folder) ?? 0;
    if (Math.abs(stated - megabytes) <= TOLERANCE_MEGABYTES) return [];
    return [
      `${folder}: ${megabytes.toFixed(1)} MB instead of ${stated} MB; \`pnpm packages:check --write\` writes it`,
    ];
  });
}

/** Writes the table of the page. */
export function writeSizes(sizes: Sizes): void {
  const file = join(ROOT, FOOTPRINT_PAGE);
  const page = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    page.replace(tableOf(page), () => footprintTable(sizes)),
  );
}

/** The bytes of the files of a package, without packages that are installed in it. */
function ownBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === 'node_modules') return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? ownBytes(path) : statSync(path).size);
  }, 0);
}
