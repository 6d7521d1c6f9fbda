import { expect } from 'vitest';
import { operatorActor } from '../audit-actor.js';
import type { ReadableClient } from '../import/exported-client.js';
import { type ImportOutcome, importClient, importDryRun } from '../import/import-client.js';
import type { RegistrationFixture } from './registration-fixture.js';

/** A secret that another server exported. */
export const SECRET = 'kept-secret-of-the-old-server-0123456789';

/** Who imports. */
export const operator = operatorActor('alice');

/** Imports a client, and expects the same result of a dry run before. */
export async function importAfterDryRun(
  { deps }: RegistrationFixture,
  client: ReadableClient,
  options: { readonly issuesNewSecrets?: boolean; readonly replacesExisting?: boolean } = {},
): Promise<ImportOutcome> {
  const input = { client, operator, issuesNewSecrets: false, replacesExisting: false, ...options };
  const dryRunOutcomes = await importDryRun(deps)(input);
  const result = await importClient(deps, input);
  const { newSecret: _, ...expected } = { newSecret: undefined, ...result };
  expect(dryRunOutcomes).toEqual(expected);
  return result;
}
