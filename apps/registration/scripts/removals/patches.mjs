/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const PATCHED = 'packages/clients/src/management/merge-patch.ts';
const UPDATE = 'packages/clients/src/management/update-client.ts';

/** What makes a patch out of what is registered, and keeps it within what an update may be. @returns {Removal[]} */
export function patches() {
  return [
    {
      name: 'patch: applied again after a lost race',
      file: UPDATE,
      from: 'await judgeUpdate(deps, await managedClient(deps, input), input)',
      to: '{ ...accepted, managed: await managedClient(deps, input) }',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
      titles: ['is applied to the changed client (RFC 5789 section 2)'],
    },
    {
      name: 'patch: the condition holds for what is replaced after a lost race',
      file: UPDATE,
      from: '  await requireMatch(deps, managed, input);',
      to: '  if (input.ifMatch === undefined || decided !== undefined) await requireMatch(deps, managed, input);',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
      titles: ['is refused if its condition names the version that it has read'],
    },
    {
      name: 'patch: the sector is asked about redirect URIs of others',
      file: UPDATE,
      from: ' && isSameJson(redirects, confirmed.redirect_uris)',
      to: '',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
    },
    {
      name: 'patch: the sector is not asked twice about the same',
      file: UPDATE,
      from: 'uri === confirmed?.sector_identifier_uri && ',
      to: 'uri === undefined && ',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
    },
    {
      name: 'patch: only an object is one',
      file: PATCHED,
      from: 'if (!isJsonObject(patch)) throw',
      to: 'if (false) throw',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
    },
    {
      name: 'patch: null takes a member away',
      file: 'packages/clients/src/management/merge-patch.ts',
      from: 'if (change === null) merged.delete(name);',
      to: 'if (change === null) continue;',
      project: 'packages/clients',
      tests: ['src/management/merge-patch'],
    },
    {
      name: 'patch: objects are merged',
      file: 'packages/clients/src/management/merge-patch.ts',
      from: 'mergePatch(merged.get(name), change)',
      to: 'mergePatch(undefined, change)',
      project: 'packages/clients',
      tests: ['src/management/merge-patch'],
    },
    {
      name: 'patch: the case of language tags means nothing',
      file: PATCHED,
      from: 'withoutOtherSpellings(registered, patch), patch',
      to: 'registered, patch',
      project: 'packages/clients',
      tests: ['src/management/patch-client'],
    },
    ...[
      ['the size of the result', ' > MAX_BODY_BYTES', ' > Infinity'],
      ['no member that excludes another goes unasked', 'if (clash !== undefined)', 'if (false)'],
    ].map(([what, from = '', to = '']) => ({
      name: `patch: ${what}`,
      file: PATCHED,
      from,
      to,
      project: 'apps/registration',
      tests: ['test/patch-client/400'],
    })),
    {
      name: 'patch: a media type of its own',
      file: 'apps/registration/src/routes.ts',
      from: 'registrationBody(isUpdateMember, MEDIA_TYPE.mergePatch)',
      to: 'registrationBody(isUpdateMember, MEDIA_TYPE.json)',
      project: 'apps/registration',
      tests: ['test/patch-client/400'],
    },
    {
      name: 'patch: a refusal says which media type is taken',
      file: 'packages/http/src/routes/resource.ts',
      from: "method === 'PATCH' ? acceptPatch : {}",
      to: '{}',
      project: 'apps/registration',
      tests: ['test/patch-client/400'],
    },
  ];
}
