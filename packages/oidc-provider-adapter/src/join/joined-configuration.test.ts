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

const hooksOf = (given: LibraryConfiguration) =>
  joinedConfiguration(
    given,
    {
      adapter: () => ({}) as never,
      customizer: async () => undefined,
      endpoints: { registration: 'r', introspection: 'i', logout: 'l' },
      pairwise: async (sector, accountId) => `stored:${sector}:${accountId}`,
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

it('uses the pairwise subjects of a team that has its own', async () => {
  const hooks = hooksOf({ subjectTypes: ['pairwise'], pairwiseIdentifier: async () => 'theirs' });
  expect(hooks.subjectTypes).toEqual(['pairwise']);
  expect(await hooks.extraTokenClaims(CONTEXT, { accountId: 'ada', client: PAIRWISE })).toMatchObject({
    subject: 'theirs',
  });
});

it('adds no facts to a token without an end-user and without claims of the team', async () => {
  expect(await hooksOf({}).extraTokenClaims(CONTEXT, { client: PAIRWISE })).toBeUndefined();
});

it('keeps what the team adds to discovery and to client metadata', () => {
  const { discovery, extraClientMetadata } = hooksOf({
    discovery: { service_documentation: 'd', registration_endpoint: 'theirs' },
    extraClientMetadata: { properties: ['tenant'] },
  });
  expect(discovery).toMatchObject({ service_documentation: 'd', registration_endpoint: 'theirs' });
  expect(extraClientMetadata).toEqual({ properties: ['tenant', 'registered_scope'] });
});
