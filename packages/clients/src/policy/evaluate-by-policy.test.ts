import { DomainError, epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { OPEN_SCOPES } from '@vestibule/scopes';
import { describe, expect, it } from 'vitest';
import { registerFederatedClient } from '../federation-registration/register-federated-client.js';
import { dryRunUpdate, updateClient } from '../management/update-client.js';
import { failure } from '../testing/failure.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import type { PolicyRequest, PolicySubject, RegistrationPolicy } from './registration-policy.js';

const REDIRECT = { redirect_uris: ['https://app.example.org/cb'] };

type Others = Pick<RegistrationPolicy, 'defaults'>;

/** A fixture with a policy, which records its calls. */
async function under(evaluate: RegistrationPolicy['evaluate'], settings = {}, others: Others = {}) {
  const fixture = await registrationFixture({ allowOpenRegistration: true, ...settings });
  const requested: PolicyRequest[] = [];
  const policy: RegistrationPolicy = {
    ...others,
    evaluate: (request) => {
      requested.push(request);
      return evaluate(request);
    },
  };
  Object.assign(fixture.deps, { policy });
  return { ...fixture, requested };
}

describe('a policy on registration', () => {
  it('is called once with everything that would be registered, including defaults', async () => {
    const { register, requested } = await under(({ metadata }) => metadata);
    await register({ ...REDIRECT, unknown: 1, data: { a: 1 } }, MASTER);
    expect(requested).toHaveLength(1);
    expect(requested[0]).toMatchObject({
      authority: 'master_token',
      data: { a: 1 },
      metadata: { ...REDIRECT, grant_types: ['authorization_code'], application_type: 'web' },
    });
    expect(requested[0]?.metadata).not.toHaveProperty('unknown');
  });

  it('receives the type of the registrant, and of an updated client nothing secret', async () => {
    const { register, issue, deps, requested } = await under(({ metadata }) => metadata);
    const token = await issue('client-reg:grant:code');
    await register(REDIRECT);
    const { information } = await register({ ...REDIRECT, client_name: 'One' }, token);
    const id = information.client_id;
    const own = String(information['registration_access_token']);
    const body = { ...REDIRECT, client_id: id, client_name: 'Two' };
    await dryRunUpdate(deps, { id, token: own, body });
    await updateClient(deps, { id, token: own, body });
    await updateClient(deps, { id, token: MASTER, body });
    await updateClient(deps, { id, operator: 'operator:ann', body });
    expect(requested.map(({ authority }) => authority)).toEqual([
      'anonymous',
      'initial_access_token',
      'registration_access_token',
      'registration_access_token',
      'master_token',
      'operator',
    ]);
    expect(requested[0]).not.toHaveProperty('client');
    expect(requested[2]?.client).toMatchObject({ id, metadata: { client_name: 'One' } });
    for (const { client } of requested.slice(2))
      expect(Object.keys(client ?? {})).toEqual([
        'id',
        'metadata',
        'grantedScopes',
        'origin',
        'registrar',
        'status',
      ]);
  });

  it('determines the registered metadata, which the response shows', async () => {
    const { register, find } = await under(async ({ metadata }) => ({ ...metadata, client_name: 'Set' }));
    const { information } = await register({ ...REDIRECT, client_name: 'Asked' });
    expect(information['client_name']).toBe('Set');
    expect((await find(information.client_id))?.metadata['client_name']).toBe('Set');
  });

  it('sees the value that the server chose from a list of supported ones, which its defaults do not replace', async () => {
    const defaults = () => ({ token_endpoint_auth_method: 'client_secret_basic' });
    const { register, requested } = await under(({ metadata }) => metadata, {}, { defaults });
    const list = { token_endpoint_auth_methods_supported: ['none'] };
    const { information } = await register({ ...REDIRECT, ...list });
    expect(requested[0]?.metadata).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(requested[0]?.metadata).not.toHaveProperty('token_endpoint_auth_methods_supported');
    expect(information['token_endpoint_auth_method']).toBe('none');
  });

  it('can set defaults for missing members, which it decides on with the rest', async () => {
    const subjects: PolicySubject[] = [];
    const defaults = (policySubject: PolicySubject) => {
      subjects.push(policySubject);
      return { client_name: 'Default', application_type: 'native', jwks_uri: 'https://app.example.org/jwks' };
    };
    const { register, requested } = await under(({ metadata }) => metadata, {}, { defaults });
    const given = { ...REDIRECT, client_name: 'Given', application_type: null, jwks: { keys: [] } };
    const { information } = await register({ ...given, data: { a: 1 } }, MASTER);
    expect(subjects).toEqual([{ authority: 'master_token', data: { a: 1 } }]);
    expect(requested[0]?.metadata).toMatchObject({ client_name: 'Given', application_type: 'native' });
    expect(information['application_type']).toBe('native');
    expect(information).not.toHaveProperty('jwks_uri');
  });

  it('can correct metadata that the rules would have refused', async () => {
    const { register } = await under(({ metadata }) => ({ ...metadata, ...REDIRECT }));
    const { information } = await register({});
    expect(information).toMatchObject(REDIRECT);
  });

  it('never exceeds the rules and granted scopes', async () => {
    const give = async (changes: JsonObject) => {
      const { register, all } = await under(({ metadata }) => ({ ...metadata, ...changes }));
      const error: unknown = await register(REDIRECT).catch((thrown: unknown) => thrown);
      expect(await all()).toEqual([]);
      return error;
    };
    expect(await give({ redirect_uris: ['http://app.example.org/cb'] })).toEqual(
      failure('invalid_redirect_uri'),
    );
    expect(await give({ client_name: 1 })).toEqual(failure('invalid_client_metadata'));
    expect(await give({ scope: 'admin' })).toEqual(failure('missing_token'));
    expect(await give({ grant_types: ['client_credentials'], response_types: [] })).toEqual(
      failure('missing_token'),
    );
    expect(await give({ sector_identifier_uri: 'https://app.example.org/s' })).toEqual(
      failure('invalid_client_metadata'),
    );
  });

  it('decides again if the rules add members to its result', async () => {
    const { register, requested } = await under(({ metadata }) => ({
      ...metadata,
      backchannel_logout_uri: 'https://app.example.org/logout',
      ...('backchannel_logout_session_required' in metadata && { backchannel_logout_session_required: true }),
    }));
    const { information } = await register(REDIRECT);
    expect(information['backchannel_logout_session_required']).toBe(true);
    expect(requested).toHaveLength(2);
  });

  it('is called again if the rules leave out a member that it left empty', async () => {
    const { register } = await under(({ metadata }) => {
      if (metadata['scope'] === undefined)
        throw new DomainError('invalid_client_metadata', 'A scope is needed.');
      return { ...metadata, scope: '' };
    });
    await expect(register({ ...REDIRECT, scope: 'a' }, MASTER)).rejects.toEqual(
      failure('invalid_client_metadata'),
    );
  });

  it('refuses with the error codes of RFC 7591 section 3.2.2', async () => {
    for (const code of [
      'invalid_redirect_uri',
      'invalid_client_metadata',
      'invalid_software_statement',
      'unapproved_software_statement',
    ] as const) {
      const { register } = await under(() => {
        throw new DomainError(code, 'Not here.');
      });
      await expect(register(REDIRECT)).rejects.toEqual(failure(code));
    }
  });

  it.each<[string, RegistrationPolicy['evaluate'], Others?]>([
    ['throws', () => Promise.reject(new RangeError('broken'))],
    [
      'refuses with a code that is not its own',
      () => {
        throw new DomainError('not_found', 'No.');
      },
    ],
    ['gives back nothing', () => undefined as unknown as JsonObject],
    ['gives back a list', ({ metadata }) => [metadata] as unknown as JsonObject],
    [
      'removes a member that always has a value',
      ({ metadata: { application_type: _, ...others } }) => others,
    ],
    ['invents a software statement', ({ metadata }) => ({ ...metadata, software_statement: 'e30.e30.e30' })],
    [
      'gives defaults that are none',
      ({ metadata }) => metadata,
      { defaults: () => [] as unknown as JsonObject },
    ],
    [
      'gives a software statement by default',
      ({ metadata }) => metadata,
      { defaults: () => ({ software_statement: 'e30.e30.e30' }) },
    ],
  ])(
    'causes an internal error when it %s: nothing is registered, nothing is consumed',
    async (_, evaluate, others) => {
      const { register, issue, all, deps } = await under(evaluate, {}, others);
      const token = await issue('client-reg');
      const error: unknown = await register(REDIRECT, token).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(DomainError);
      expect(await all()).toEqual([]);
      const digests = deps.digester.availableDigests('initial-access-token', token);
      expect(await deps.initialAccessTokens.find(digests)).toMatchObject({ usesLeft: 1 });
    },
  );

  it('decides again on the current client if it was changed in the meantime', async () => {
    const { register, deps, requested, change } = await under(({ metadata }) => metadata);
    const { information } = await register(REDIRECT);
    const id = information.client_id;
    const { clients } = deps;
    let isFirst = true;
    const racing = {
      ...deps,
      clients: {
        ...clients,
        replace: async (...given: Parameters<typeof clients.replace>) => {
          if (isFirst) {
            isFirst = false;
            await change(id, (client) => ({ ...client, status: 'pending' }));
          }
          return clients.replace(...given);
        },
      },
    };
    await updateClient(racing, { id, token: MASTER, body: { ...REDIRECT, client_id: id } });
    expect(requested.slice(1).map(({ client }) => client?.status)).toEqual(['active', 'pending']);
  });

  it('decides on federation entities too', async () => {
    const { deps, requested } = await under(({ metadata }) => ({ ...metadata, client_name: 'Set' }));
    const now = nowSeconds(deps.clock);
    const information = await registerFederatedClient(deps, {
      metadata: REDIRECT,
      grantedScopes: OPEN_SCOPES,
      membership: {
        entityId: 'https://rp.example.org',
        trustAnchor: 'https://anchor.example.org',
        superior: 'https://anchor.example.org',
        chainExpiresAt: epochSeconds(now + 600),
        statementIssuedAt: now,
        isAddressed: true,
      },
      mayHaveSecret: true,
      expiresAt: epochSeconds(now + 600),
    });
    expect(information['client_name']).toBe('Set');
    expect(requested.map(({ authority }) => authority)).toEqual(['federation']);
  });
});
