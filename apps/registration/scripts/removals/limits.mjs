/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const LIMITS = 'packages/clients/src/limits/registration-limits.ts';

/** What a client can make the service ask outside, and what it is told where there is no room. @returns {Removal[]} */
export function limits() {
  const sector = (/** @type {string} */ what, /** @type {[string, string]} */ [from, to], file = LIMITS) => ({
    name: `sector documents: ${what}`,
    file,
    from,
    to,
    project: 'packages/clients',
    tests: ['src/limits/registration-limits'],
  });
  const overload = (/** @type {string} */ what, /** @type {string} */ file, /** @type {string} */ from) => ({
    name: `no room outside: ${what}`,
    file,
    from,
    to: '',
    project: 'apps/registration',
    tests: ['test/outside/no-room'],
  });
  return [
    sector(
      'updates of a client are counted',
      ['  await deps.limits?.admitSectorCheck(managed);', ''],
      'packages/clients/src/update-client.ts',
    ),
    sector('each client by itself', ['settings.perSector, client.id', "settings.perSector, ''"]),
    sector('the master token is not counted', ['if (registrationToken !== undefined) await', 'await']),
    sector('a limit of 0 is none', ['if (limit === 0) continue;', '']),
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
        'nothing else is told',
        'packages/egress/src/fetch-json.ts',
        "answer.reason === 'overloaded' ? ",
      ),
      to: 'true ? ',
      tests: ['test/outside'],
    },
  ];
}
