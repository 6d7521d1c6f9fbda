import { readFile } from 'node:fs/promises';
import { heldRights } from './removals/held-rights.mjs';
import { limits } from './removals/limits.mjs';
import { pages } from './removals/pages.mjs';
import { patches } from './removals/patches.mjs';
import { policies } from './removals/policies.mjs';
import { requests } from './removals/requests.mjs';

/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const RULES = 'packages/metadata/src/metadata-rules.ts';
const PRESENTATION = 'apps/registration/src/presentation.ts';
const RIGHTS = 'packages/clients/src/registration/check-rights.ts';
const UPDATE = 'packages/clients/src/management/update-client.ts';
const RIGHTS_OF_CLIENT = 'packages/clients/src/registration/client-rights.ts';
const ISSUED = 'packages/clients/src/management/issued-members.ts';
const ACCEPT = 'packages/clients/src/registration/accept-registration.ts';
const CLIENTS = 'packages/clients';
const REGISTRATION = 'apps/registration';

/** Every removal, by the text of the files of the repository. @returns {Promise<Removal[]>} */
export async function allRemovals(/** @type {string} */ root) {
  const text = (/** @type {string} */ file) => readFile(`${root}/${file}`, 'utf8');
  return [
    ...metadataRules(await text(RULES)),
    ...errors(await text(PRESENTATION)),
    ...rights(),
    ...updates(),
    ...issuedMembers(await text(ISSUED)),
    ...patches(),
    ...policies(),
    ...requests(),
    ...limits(),
    ...heldRights(),
    ...pages(),
  ];
}

/** Each rule on metadata, left out of the list; the test of the list itself does not count. */
function metadataRules(/** @type {string} */ source) {
  const list = source.slice(source.indexOf('METADATA_RULES'));
  return [...list.matchAll(/^ {2}(\w+),$/gm)].map(([line = '', rule]) => ({
    name: `metadata rule ${rule}`,
    file: RULES,
    from: `= [${source.slice(source.lastIndexOf('= [') + 3)}`,
    to: `= [${source.slice(source.lastIndexOf('= [') + 3).replace(`${line}\n`, '')}`,
    project: 'packages/metadata',
    tests: ['src/rules', 'src/metadata-rules', 'src/redirect-uri', 'src/validate'],
  }));
}

/** Where each failure is met. */
const TESTS_OF_ERRORS = {
  missing_token: ['test/register-client/401', 'test/any-operation/401'],
  invalid_token: ['test/register-client/401', 'test/any-operation/401'],
  insufficient_scope: ['test/register-client/403', 'test/list-clients/403'],
  not_found: ['test/any-operation/401-and-404', 'test/any-operation/405-and-404'],
  method_not_allowed: ['test/any-operation/405-and-404'],
  precondition_failed: ['test/conditions'],
  too_many_requests: ['test/register-client/429'],
};
const TESTS_OF_OTHER_ERRORS = ['test/register-client/400', 'test/outside/software-statement'];

/** Each failure, with the status and the body of another one. */
function errors(/** @type {string} */ source) {
  const entries = [...source.matchAll(/^ {2}(\w+): (.+),$/gm)];
  const spoilt = entries.flatMap(([line = '', code = '', presenter = '']) => {
    const change = (/** @type {string} */ what, /** @type {string} */ to) => ({
      name: `error ${code}: ${what}`,
      file: PRESENTATION,
      from: line,
      to: `  ${code}: ${to},`,
      project: REGISTRATION,
      tests: Object.entries(TESTS_OF_ERRORS).find(([name]) => name === code)?.[1] ?? TESTS_OF_OTHER_ERRORS,
    });
    const changes = [change('another status', 'emptyError(500)')];
    if (presenter === 'badRequest') {
      changes.push(
        change('no body', 'emptyError(400)'),
        change('another code', `jsonError(400, 'access_denied')`),
      );
    }
    if (presenter.startsWith('bearerChallenge')) {
      const status = presenter.match(/\d{3}/)?.[0];
      changes.push(change('no challenge', `emptyError(${status})`));
      const other = presenter.includes('insufficient_scope') ? 'invalid_token' : 'insufficient_scope';
      changes.push(change('another challenge', `bearerChallenge(${status}, { error: '${other}' })`));
    }
    if (presenter.startsWith('throttledError')) changes.push(change('no Retry-After', 'emptyError(429)'));
    return changes;
  });
  // The table lists no internal error: that response is the default.
  const fault = {
    name: 'error server_error: another status',
    file: 'packages/http/src/errors/error-table.ts',
    from: 'INTERNAL: ErrorResponse = { status: 500 }',
    to: 'INTERNAL: ErrorResponse = { status: 503 }',
    project: REGISTRATION,
    tests: ['test/any-operation/500', 'test/register-client/500'],
  };
  return [...spoilt, fault];
}

/** Each condition on rights, never met. */
function rights() {
  return [
    ['grant types', 'if (!metadata.grant_types.every('],
    ['scope values', 'if (!scopeValues(metadata).every('],
    ['data', 'if (data !== undefined && !rights.data)'],
    ['a preferred identifier', 'if (preferredId !== undefined && !rights.setId)'],
    ['a preferred secret', 'if (preferredSecret !== undefined && !rights.setSecret)'],
  ].map(([what, from = '']) => ({
    name: `right to ${what}`,
    file: RIGHTS,
    from,
    to: from.replace('if (', 'if (false && '),
    project: CLIENTS,
    tests: [
      'src/registration/check-rights',
      'src/registration/register-client',
      'src/management/update-client',
    ],
  }));
}

/** What keeps an update, and a registration, inside what it may reach. */
function updates() {
  const removal = (
    /** @type {string} */ name,
    /** @type {string} */ file,
    /** @type {[string, string]} */ [from, to],
  ) => ({
    name,
    file,
    from,
    to,
    project: CLIENTS,
    tests: [
      'src/management/update-client',
      'src/registration/registration-envelope',
      'src/registration/register-client',
    ],
  });
  return [
    removal('rights at an update', UPDATE, [
      '  checkRights(rightsOf(managed),',
      '  if (false) checkRights(rightsOf(managed),',
    ]),
    removal('rights of the client rather than all', UPDATE, [
      ' ? ALL_RIGHTS : rightsOfClient(client)',
      ' ? ALL_RIGHTS : ALL_RIGHTS',
    ]),
    removal('rights grow by what the master token gives alone', RIGHTS_OF_CLIENT, [
      'uniteRegistrationRights(others, { ...used, data: used.data && rights.data })',
      `{ ...used, scopeValues: 'any', data: true }`,
    ]),
    {
      ...removal('rights go with what the master token takes out', RIGHTS_OF_CLIENT, [
        'subtractRegistrationRights(rights, rightsCovering(client))',
        'rights',
      ]),
      tests: ['src/registration/withdrawn-rights'],
      titles: [
        'is no longer granted to the client, however it is removed',
        'is refused in an update of the client that is under way',
      ],
    },
    removal('presets at an update', UPDATE, [
      'if (request.preferredId !== undefined || request.preferredSecret !== undefined)',
      'if (false)',
    ]),
    removal('members that only the service issues', UPDATE, [
      '  checkIssuedMembers(',
      '  if (false) checkIssuedMembers(',
    ]),
    removal('members that are left out fall back to defaults', UPDATE, [
      '    request.metadata,\n    managing',
      '    { ...managed.client.metadata, ...request.metadata },\n    managing',
    ]),
    removal('judging again after a lost race', UPDATE, [
      'await judgeUpdate(deps, await managedClient(deps, input), input)',
      '{ ...accepted, managed: await managedClient(deps, input) }',
    ]),
    {
      ...removal('the sector of a pairwise client', UPDATE, [
        'if (managed.registrationToken !== undefined && !staysInSector(',
        'if (false && !staysInSector(',
      ]),
      tests: ['src/registration/sector-check'],
    },
    removal('the document of the sector at an update', UPDATE, [
      '  await confirmSector(deps, metadata);',
      '',
    ]),
    removal('rights at a registration', ACCEPT, [
      '  checkRights(authority.rights',
      '  if (false) checkRights(authority.rights',
    ]),
    removal('preset secrets that are long enough', ACCEPT, [
      '  checkPresetSecret(request',
      '  if (false) checkPresetSecret(request',
    ]),
    removal('the document of the sector at a registration', ACCEPT, [
      '  await confirmSector(deps, metadata);',
      '',
    ]),
  ];
}

/** Each member that only the service issues, as if any value were the present one. */
function issuedMembers(/** @type {string} */ source) {
  const table = source.slice(source.indexOf('const isCurrent'), source.indexOf('for (const [name, matches]'));
  const members = [...table.matchAll(/^ {4}(\w+): \(value\) =>/gm)];
  return members.map(([line = '', member]) => ({
    name: `issued member ${member}`,
    file: ISSUED,
    from: line,
    to: `${line} true ||`,
    project: CLIENTS,
    tests: ['src/management/update-client'],
  }));
}
