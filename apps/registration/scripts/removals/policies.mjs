/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const JUDGE = 'packages/clients/src/policy/judge-by-policy.ts';
const DECLARED = 'packages/clients/src/policy/declared-policy.ts';
const SECTIONS = 'packages/clients/src/policy/declared-policies.ts';
const MEMBERS = 'packages/clients/src/policy/member-policy.ts';

/** What a policy on registration decides on, and what it cannot get past. @returns {Removal[]} */
export function policies() {
  const removal = (
    /** @type {string} */ what,
    /** @type {string} */ file,
    /** @type {[string, string]} */ [from, to],
  ) => ({
    name: `policy: ${what}`,
    file,
    from,
    to,
    project: 'packages/clients',
    tests: ['src/policy/judge-by-policy', 'src/policy/declared-polic'],
  });
  return [
    removal('judged before the rules', JUDGE, [
      'completeClientMetadata(withDefaults(policy, request), supported)',
      'validateClientMetadata(withDefaults(policy, request), supported, settings.metadata)',
    ]),
    removal('its defaults come before the built-in ones', JUDGE, [
      'completeClientMetadata(withDefaults(policy, request), supported)',
      'completeClientMetadata(request.metadata, supported)',
    ]),
    removal('its defaults are members, and no statement', JUDGE, [
      'if (!isJsonObject(defaults) || present(defaults, STATEMENT) !== undefined)',
      'if (false)',
    ]),
    removal('only built-in defaults are replaced before it', DECLARED, [
      "operators['default'] === undefined || !hasDefault(member)",
      "operators['default'] === undefined",
    ]),
    removal('rules are judged after it', JUDGE, [
      'validateClientMetadata(decided, supported, settings.metadata)',
      'completeClientMetadata(decided, supported)',
    ]),
    removal('defaults cannot slip past it', JUDGE, [
      'let metadata = completeClientMetadata(withDefaults(policy, request), supported)',
      'let metadata = withDefaults(policy, request)',
    ]),
    removal('what the rules fill in is decided on', JUDGE, ['if (isSeen && ', 'if (']),
    removal('what the rules leave out is decided on', JUDGE, [
      'isWhole || isSameJson(registrable, metadata)',
      'true',
    ]),
    removal('it gives back metadata', JUDGE, ['if (!isJsonObject(decided)) throw', 'if (false) throw']),
    removal('it leaves software statements as they are', JUDGE, [
      'if (present(decided, STATEMENT) !== present(request.metadata, STATEMENT))',
      'if (false)',
    ]),
    removal('it refuses by codes of registration alone', JUDGE, [
      'error instanceof DomainError && !REFUSALS.includes(error.code)',
      'false',
    ]),
    removal('decides on what a client is now', 'packages/clients/src/management/update-client.ts', [
      'await judgeUpdate(deps, await managedClient(deps, input), input)',
      '{ ...accepted, managed: await managedClient(deps, input) }',
    ]),
    removal('entities go by their superiors', DECLARED, [
      "if (authority === 'federation') return 'entity';",
      '',
    ]),
    removal('open registration has a policy of its own', DECLARED, [
      "if (authority === 'anonymous') return 'anonymous';",
      '',
    ]),
    removal('initial access tokens have a policy of their own', DECLARED, [
      "if (authority === 'initial_access_token') return 'initialAccessToken';",
      '',
    ]),
    removal('updates obey the policy of an open registration', DECLARED, [
      "if (client?.origin === 'open_registration') return 'anonymous';",
      '',
    ]),
    removal('updates obey the policy of the token', DECLARED, [
      "if (authority !== 'registration_access_token') return 'masterToken';",
      "return 'masterToken';",
    ]),
    removal('updates obey both policies where either token may be meant', DECLARED, [
      "? 'eitherToken' : 'initialAccessToken'",
      "? 'masterToken' : 'initialAccessToken'",
    ]),
    removal('language tags give no value that is not listed', DECLARED, [
      ' : one_of !== undefined ? { one_of } : {}',
      ' : {}',
    ]),
    removal('language tags go where a value is set', DECLARED, [
      'value !== undefined ? { value: null } : ',
      '',
    ]),
    removal('language tags do not stand for the member', DECLARED, [
      'members.filter(([name]) => readLanguageName(name).tag === undefined)',
      'members.map(([name, value]) => [readLanguageName(name).member, value] as const)',
    ]),
    removal('what is essential holds something', DECLARED, [
      'if (essential === true && holdsNothing(members[member]))',
      'if (false)',
    ]),
    removal('redirect URIs have a code of their own', DECLARED, [
      "member === 'redirect_uris' ? 'invalid_redirect_uri' : ",
      '',
    ]),
    removal('the section any applies to the others', SECTIONS, [
      "merge(any, read('anonymous'))",
      "read('anonymous')",
    ]),
    removal('sections are known', SECTIONS, ['if (!sections.includes(section)) return', 'if (false) return']),
    removal('contradictions are reported', SECTIONS, ['  refuse(contradictions);', '']),
    removal('members are known', MEMBERS, [
      'if (!Object.hasOwn(ClientMetadataSchema.properties, member)) return',
      'if (false) return',
    ]),
    removal('operands are of the type of the member', MEMBERS, [
      'every((value) => isOfType(member, value))',
      'every(() => true)',
    ]),
    removal('members that have a default stay', MEMBERS, [
      "return hasDefault(member) ? 'cannot remove a member that has a default' : undefined;",
      'return undefined;',
    ]),
    removal('statements have no value but their own', MEMBERS, [
      "if (member === 'software_statement')",
      'if (false)',
    ]),
    removal('response types are spelled as they are registered', MEMBERS, [
      "if (member !== 'response_types' || ",
      'if (true || ',
    ]),
  ];
}
