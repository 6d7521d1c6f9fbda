import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { productionDependencies } from './production-dependencies.js';
import { PACKAGE_MANAGER, ROOT } from './root.js';
import { workspacePackages } from './workspace-packages.js';

/** The licences that dependencies of programs and packages may have: permissive, without conditions on our own code. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
];

/** Whether one alternative of an SPDX expression, such as `(MIT OR GPL-2.0)`, has allowed licences only. */
function isAllowed(license = ''): boolean {
  const alternatives = license.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((each) => each.split(' AND ').every((name) => ALLOWED.includes(name.trim())));
}

describe('the licences of production dependencies', () => {
  const shipped = workspacePackages().filter(({ folder }) => !folder.startsWith('packages/tools/'));

  it.each(shipped.map(({ folder }) => folder))('are allowed: %s', (folder) => {
    const refused = productionDependencies(join(ROOT, folder)).filter(({ license }) => !isAllowed(license));
    expect(refused.map(({ name, version, license }) => `${name}@${version}: ${license}`)).toEqual([]);
  });

  it('are listed by the package manager', () => {
    const output = execFileSync('npx', ['-y', PACKAGE_MANAGER, 'licenses', 'list', '--prod', '--json'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    expect(Object.keys(JSON.parse(output)).filter((license) => !isAllowed(license))).toEqual([]);
  });

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', 'UNLICENSED', undefined])('would not be allowed: %s', (license) => {
    expect(isAllowed(license)).toBe(false);
  });

  it.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC'])('would be allowed: %s', (license) => {
    expect(isAllowed(license)).toBe(true);
  });
});
