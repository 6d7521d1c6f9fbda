import { expect, it } from 'vitest';
import { joinedConfiguration } from './joined-configuration.js';
import type { LibraryConfiguration } from './library-configuration.js';

interface Hooks {
  readonly subjectTypes: readonly string[];
  readonly discovery: Readonly<Record<string, unknown>>;
  readonly extraClientMetadata: object;
  pairwiseIdentifier(context: object, accountId: string, client: object): Promise<string>;
  extraTokenClaims(context: object, token: object): Promise<object | undefined>;
}

const recorded: string[] = [];

const hooksOf = (given: LibraryConfiguration) =>
  joinedConfiguration(
    given,
    {
      adapter: () => ({}) as never,
      customizer: async () => undefined,
      endpoints: { registration: 'r', introspection: 'i', logout: 'l' },
      pairwise: {
        create: async (sector, accountId) => `stored:${sector}:${accountId}`,
        record: async (...names) => void recorded.push(names.join(' ')),
      },
      declaredBy: async () => [],
      onProblem: () => undefined,
    },
    [],
  ) as Hooks;

const PAIRWISE = { subjectType: 'pairwise', sectorIdentifier: 'rp.example' };
const CONTEXT = { oidc: { entities: { AuthorizationCode: { acr: 'gold', authTime: 7 } } } };

it('keeps pairwise subjects in the shared store, where the logout page finds them', async () => {
  const hooks = hooksOf({});
  expect(hooks.subjectTypes).toEqual(['public', 'pairwise']);
  expect(await hooks.pairwiseIdentifier({}, 'ada', PAIRWISE)).toBe('stored:rp.example:ada');
  expect(await hooks.extraTokenClaims(CONTEXT, { accountId: 'ada', client: PAIRWISE })).toEqual({
    subject: 'stored:rp.example:ada',
    acr: 'gold',
    authTime: 7,
  });
});

it('uses the pairwise subjects of a team that has its own, and stores them for the logout page', async () => {
  const hooks = hooksOf({ subjectTypes: ['pairwise'], pairwiseIdentifier: async () => 'theirs' });
  expect(hooks.subjectTypes).toEqual(['pairwise']);
  expect(await hooks.extraTokenClaims(CONTEXT, { accountId: 'ada', client: PAIRWISE })).toMatchObject({
    subject: 'theirs',
  });
  expect(recorded).toEqual(['rp.example ada theirs']);
});

it.each([undefined, '', 7])('refuses %j as the pairwise subject of a team', async (subject) => {
  const hooks = hooksOf({ pairwiseIdentifier: async () => subject });
  await expect(hooks.pairwiseIdentifier({}, 'ada', PAIRWISE)).rejects.toThrow(
    /^pairwiseIdentifier: must return/,
  );
});

it('adds no facts to a token without an end-user and without claims of the team', async () => {
  expect(await hooksOf({}).extraTokenClaims(CONTEXT, { client: PAIRWISE })).toBeUndefined();
});

it('keeps what the team adds to discovery and to client metadata', () => {
  const { discovery, extraClientMetadata } = hooksOf({
    discovery: { service_documentation: 'd' },
    extraClientMetadata: { properties: ['tenant'] },
  });
  expect(discovery).toMatchObject({ service_documentation: 'd', registration_endpoint: 'r' });
  expect(extraClientMetadata).toEqual({ properties: ['tenant', 'registered_scope'] });
});
