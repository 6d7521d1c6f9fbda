/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const RIGHTS = 'packages/clients/src/registration/client-rights.ts';
const UPDATE = 'packages/clients/src/management/update-client.ts';
const MANAGEMENT = 'packages/clients/src/management/authorize-management.ts';
const ISSUED = 'packages/clients/src/management/issued-members.ts';
const REGISTER = 'packages/clients/src/registration/register-client.ts';
const DATABASE = 'packages/database';

/**
 * What a client may make of itself, what the previous registration token may do, what one network may hold of the cap on
 * unused clients, and what counts as a use of a client.
 * @returns {Removal[]}
 */
export function heldRights() {
  const removal = (
    /** @type {string} */ name,
    /** @type {string} */ file,
    /** @type {[string, string]} */ [from, to],
    tests = ['src/management/update-client', 'src/registration/register-client'],
  ) => ({ name, file, from, to, project: 'packages/clients', tests });
  const stored = (
    /** @type {string} */ what,
    /** @type {string} */ file,
    /** @type {[string, string]} */ [from, to],
  ) => ({
    name: `uses of clients: ${what}`,
    file: `${DATABASE}/src/${file}`,
    from,
    to,
    project: DATABASE,
    tests: ['src/noted-uses'],
  });
  return [
    removal('rights of a client that an operator registers', RIGHTS, [
      `kind === 'operator' ? rightsInUse(metadata) : rights`,
      `kind === 'operator' ? rights : rights`,
    ]),
    removal('unlimited rights that no initial access token gave', RIGHTS, [
      `return isUnlimited && registrar !== 'initial_access_token' ?`,
      'return false ?',
    ]),
    removal('data of the operator gives no right to it', RIGHTS, ['used.data && rights.data', 'used.data']),
    removal('data that is left out stays', UPDATE, [
      'data === undefined || rightsOf(managed).data) return request',
      'true) return request',
    ]),
    removal('data that a patch removes', UPDATE, ['(request.data ?? {})', 'request.data']),
    removal('the previous token for anything else', MANAGEMENT, [
      '    if (purpose === undefined) throw refusalOfPreviousToken();\n',
      '',
    ]),
    removal('the previous token for another update', UPDATE, [
      'if (isOutdated && !isTheSame(',
      'if (false && !isTheSame(',
    ]),
    removal('a repeated update changes nothing', UPDATE, [
      '    if (accepted.managed.isOutdated === true) return readClient(deps, input);\n',
      '',
    ]),
    removal('a repeated update names a secret that the client had', ISSUED, [
      '[client.secret?.digest, ...(replacedSecrets ?? [])]',
      '[client.secret?.digest]',
    ]),
    removal(
      'the share of a network in the cap',
      REGISTER,
      [
        `digester.availableDigests('network', authority.network ?? '')`,
        `digester.availableDigests('network', String(Math.random()))`,
      ],
      ['src/registration/open-registration'],
    ),
    {
      ...removal('the network of a registration', 'apps/registration/src/registration-authorities.ts', [
        '{ token, certificateThumbprint, network }',
        '{ token, certificateThumbprint }',
      ]),
      project: 'apps/registration',
      tests: ['test/register-client/429'],
    },
    stored('a token of the direct authorization endpoint', 'access-token-store.ts', [
      'notedUses(useOfToken(TOKEN_COLUMNS))',
      `notedUses({ ...useOfToken(TOKEN_COLUMNS), clients: 'SELECT NULL::text' })`,
    ]),
    stored('an access token of the adapter', 'provider/access-token-records.ts', [
      'notedUses(useOfToken(COLUMNS))',
      `notedUses({ ...useOfToken(COLUMNS), clients: 'SELECT NULL::text' })`,
    ]),
    stored('a refresh token', 'provider/refresh-token-records.ts', [
      'notedUses(useOfToken(COLUMNS))',
      `notedUses({ ...useOfToken(COLUMNS), clients: 'SELECT NULL::text' })`,
    ]),
    stored('a login', 'provider/session-records.ts', [
      'SELECT client_id FROM logged_in',
      'SELECT NULL::text',
    ]),
    stored('a self-contained token', 'provider/authorization-records.ts', [
      'SELECT client_id FROM alive',
      'SELECT NULL::text',
    ]),
  ];
}
