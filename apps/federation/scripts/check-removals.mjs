// Removes one check of the validator at a time, in a copy, and reports whether the tests of the chains with that defect
// fail: node apps/federation/scripts/check-removals.mjs [a part of the names]. Needs a build.

import { SINGLE_DEFECTS } from '@vestibule/federation/testing';
import { checkRemovals } from '@vestibule/testkit/check-removals';
import { REMOVALS } from './removals.mjs';

const wanted = process.argv[2] ?? '';
const removals = REMOVALS.filter(({ name }) => name.includes(wanted));
const covered = new Set(REMOVALS.flatMap(({ titles = [] }) => titles));
const forgotten = SINGLE_DEFECTS.filter(({ title }) => !covered.has(title));
for (const { title } of forgotten) process.stdout.write(`no check is removed for: ${title}\n`);
const areCaught = await checkRemovals(removals);
process.exitCode = areCaught && forgotten.length === 0 ? 0 : 1;
