/**
 * Commands that start the built programs at once, as `pnpm start` and `pnpm vestibule` do after they have checked the
 * installation and the build. The walk of a page runs its commands as they stand; for what a test starts besides, the
 * checks take longer than the programs.
 */
export const START_SERVICES = 'node "$VESTIBULE/apps/standalone/dist/server.js"';
export const VESTIBULE = 'node "$VESTIBULE/apps/cli/dist/vestibule.js"';

/** The commands of a page that start the programs, with those that start them at once. */
export const BUILT_PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['npx -y pnpm -C "$VESTIBULE" start', START_SERVICES],
  ['npx -y pnpm -C "$VESTIBULE" --silent vestibule', VESTIBULE],
]);
