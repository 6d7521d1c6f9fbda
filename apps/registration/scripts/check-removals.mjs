// Takes one rule of registration away at a time, in a copy, and reports whether a test fails:
// node apps/registration/scripts/check-removals.mjs [a part of the names]
import { checkRemovals } from '@vestibule/testkit/check-removals';
import { ROOT } from '@vestibule/testkit/repository-copy';
import { allRemovals } from './removals.mjs';

const wanted = process.argv[2] ?? '';
const removals = (await allRemovals(ROOT)).filter(({ name }) => name.includes(wanted));
process.exitCode = (await checkRemovals(removals)) ? 0 : 1;
