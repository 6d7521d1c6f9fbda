/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const LIMITS = 'packages/clients/src/registration/registration-limits.ts';
const AUTHORITIES = 'apps/registration/src/management-authorities.ts';

/**
 * How often a client can be changed, what it can make the service ask outside, and what it is told where there is no
 * room.
 * @returns {Removal[]}
 */
export function limits() {
  const sector = (/** @type {string} */ what, /** @type {[string, string]} */ [from, to], file = LIMITS) => ({
    name: `sector documents: ${what}`,
    file,
    from,
    to,
    project: 'packages/clients',
    tests: ['src/registration/registration-limits'],
  });
  const update = (/** @type {string} */ what, /** @type {[string, string]} */ [from, to], file = LIMITS) => ({
    name: `updates of a client: ${what}`,
    file,
    from,
    to,
    project: 'apps/registration',
    tests: ['test/update-client/429'],
  });
  const overload = (/** @type {string} */ what, /** @type {string} */ file, /** @type {string} */ from) => ({
    name: `no room outside: ${what}`,
    file,
    from,
    to: '',
    project: 'apps/registration',
    tests: ['test/outside/no-capacity'],
  });
  return [
    sector(
      'updates of a client are counted',
      ['  await deps.limits?.admitSectorCheck(managed);', ''],
      'packages/clients/src/management/update-client.ts',
    ),
    sector('each client by itself', ['limit, client.id', "limit, ''"]),
    sector('the master token is not counted', ['if (registrationToken !== undefined) await', 'await']),
    sector('a limit of 0 is none', ['if (limit === 0) continue;', '']),
    update(
      'they are counted',
      ["if (purpose === 'update') await deps.limits?.admitUpdate(managed);", ''],
      AUTHORITIES,
    ),
    update('nothing else is counted', ["if (purpose === 'update') await deps", 'await deps'], AUTHORITIES),
    update('each client by itself', ['limit, client.id', "limit, ''"]),
    update('the master token is not counted', ['if (registrationToken !== undefined) await', 'await']),
    overload(
      'sector documents',
      'packages/egress/src/sector-identifier-source.ts',
      'onOverload: refuseOverload,',
    ),
    overload(
      'keys of software statements',
      'packages/egress/src/key-set-fetcher.ts',
      '...(refusesOverload && { onOverload: refuseOverload }),',
    ),
    {
      ...overload(
        'nothing else is reported',
        'packages/egress/src/fetch-json.ts',
        "response.reason === 'overloaded' ? ",
      ),
      to: 'true ? ',
      tests: ['test/outside'],
    },
  ];
}
