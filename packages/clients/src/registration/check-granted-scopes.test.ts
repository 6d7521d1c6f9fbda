import { DomainError } from '@vestibule/protocol';
import { GRANT_TYPES, OPEN_GRANT_TYPES } from '@vestibule/protocol/constants';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import { type RegistrationFixture, registrationFixture } from '../testing/registration-fixture.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

// registration/API.md#scopes, repeated independently of the code.
const SCOPE_OF_GRANT: Readonly<Record<(typeof GRANT_TYPES)[number], string>> = {
  authorization_code: 'client-reg:grant:code',
  implicit: 'client-reg:grant:implicit',
  refresh_token: 'client-reg:grant:refresh',
  password: 'client-reg:grant:password',
  client_credentials: 'client-reg:grant:client',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'client-reg:grant:jwt',
  'urn:ietf:params:oauth:grant-type:saml2-bearer': 'client-reg:grant:saml',
};

interface Privilege {
  readonly body: JsonObject;
  readonly scopes: readonly string[];
}

const PRIVILEGES: readonly Privilege[] = [
  { body: {}, scopes: [] },
  { body: { scope: 'read' }, scopes: ['client-reg:scope', 'client-reg:scope:read'] },
  { body: { data: { a: 1 } }, scopes: ['client-reg:data'] },
  { body: { preferred_client_id: 'imported' }, scopes: ['client-reg:set-id'] },
  { body: { preferred_client_secret: 's'.repeat(32) }, scopes: ['client-reg:set-secret'] },
];

const SCOPES = [
  'client-reg',
  ...Object.values(SCOPE_OF_GRANT),
  ...PRIVILEGES.flatMap(({ scopes }) => scopes),
];

async function outcome(fixture: RegistrationFixture, body: JsonObject, token?: string): Promise<string> {
  return fixture.register(body, token).then(
    () => 'registered',
    (error) => (error instanceof DomainError ? error.code : String(error)),
  );
}

const client = (grantType: string, { body }: Privilege): JsonObject => ({
  ...REDIRECT,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: [grantType],
  ...body,
});

describe('every scope value, grant type and privileged parameter, in both modes', () => {
  const modes = [true, false];
  // Each scope value alone, and together with the one of the grant type.
  const cases = GRANT_TYPES.flatMap((grantType) =>
    PRIVILEGES.flatMap((privilege) =>
      SCOPES.flatMap((scope) => [[scope], [scope, SCOPE_OF_GRANT[grantType]]]).map((values) => {
        return { grantType, privilege, values };
      }),
    ),
  );

  const expected = ({ grantType, privilege, values }: (typeof cases)[number], isOpen: boolean) => {
    const isOpenGrant = isOpen && OPEN_GRANT_TYPES.some((open) => open === grantType);
    const isGrantCovered = isOpenGrant || values.includes(SCOPE_OF_GRANT[grantType]);
    const { scopes } = privilege;
    const isPrivilegeCovered = scopes.length === 0 || scopes.some((scope) => values.includes(scope));
    const isCovered = values.includes('client-reg') || (isGrantCovered && isPrivilegeCovered);
    return isCovered ? 'registered' : 'insufficient_scope';
  };

  it.each(modes)(
    'are permitted exactly as registration/API.md#scopes says (open: %s)',
    async (allowOpenRegistration) => {
      const fixture = await registrationFixture({ allowOpenRegistration });
      for (const [index, { grantType, privilege, values }] of cases.entries()) {
        const body = client(grantType, privilege);
        const preset = 'preferred_client_id' in body ? { preferred_client_id: `imported-${index}` } : {};
        const result = await outcome(fixture, { ...body, ...preset }, await fixture.issue(values.join(' ')));
        const message = `${values} ${JSON.stringify(body)}`;
        expect(result, message).toBe(expected({ grantType, privilege, values }, allowOpenRegistration));
      }
    },
  );

  it('are refused with a challenge if there is no token (RFC 6750 section 3.1)', async () => {
    const open = await registrationFixture({ allowOpenRegistration: true });
    const managed = await registrationFixture();
    for (const { grantType, privilege } of cases) {
      const isOpen = OPEN_GRANT_TYPES.some((name) => name === grantType) && privilege.scopes.length === 0;
      expect(await outcome(open, client(grantType, privilege))).toBe(isOpen ? 'registered' : 'missing_token');
      expect(await outcome(managed, client(grantType, privilege))).toBe('missing_token');
    }
  });
});

describe('the granted scopes', () => {
  const register = async (body: JsonObject, scope: string) => {
    const fixture = await registrationFixture();
    return outcome(fixture, { ...REDIRECT, ...body }, await fixture.issue(scope));
  };

  it('are required for defaults too', async () => {
    expect(await register({}, 'client-reg:data')).toBe('insufficient_scope');
    expect(await register({ grant_types: null }, 'client-reg:grant:client')).toBe('insufficient_scope');
    expect(await register({}, 'client-reg:grant:code')).toBe('registered');
  });

  it('cover single scope values, and their union', async () => {
    const scopes = 'client-reg:grant:code client-reg:scope:openid client-reg:scope:email';
    expect(await register({ scope: 'openid email' }, scopes)).toBe('registered');
    for (const scope of ['open', 'openid2', 'openid email x', 'OPENID', 'client-reg:scope:openid']) {
      expect(await register({ scope }, scopes), scope).toBe('insufficient_scope');
    }
  });

  it('are not extended by similar values', async () => {
    for (const near of [
      'client-reg:grant:codex',
      'client-reg:grant',
      'client-reg:',
      'Client-Reg',
      'client-reg:grant:Code',
    ]) {
      expect(await register({}, near), near).toBe('insufficient_scope');
      expect(await register({ grant_types: ['password'] }, `client-reg:grant:code ${near}`), near).toBe(
        'insufficient_scope',
      );
    }
  });

  it('are not required for an empty list of grant types', async () => {
    const placeholder = { redirect_uris: null, grant_types: [], token_endpoint_auth_method: 'none' };
    expect(await register(placeholder, 'client-reg:data')).toBe('registered');
    expect(await register(placeholder, 'openid')).toBe('insufficient_scope');
  });
});
