/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

/** What a request may hold: hosts, texts, numbers, identifiers, and members that are not understood. @returns {Removal[]} */
export function requests() {
  const removal = (
    /** @type {string} */ what,
    /** @type {[string, string]} */ [from, to],
    /** @type {string} */ file,
    /** @type {string} */ tests,
  ) => ({
    name: `requests: ${what}`,
    file,
    from,
    to,
    project: file.split('/').slice(0, 2).join('/'),
    tests: [tests],
  });
  const HOST = 'packages/protocol/src/uri-host.ts';
  const READING = 'packages/metadata/src/uri-reading.ts';
  const TEXT = 'packages/metadata/src/plain-text.ts';
  const JSON_TEXT = 'packages/protocol/src/json/parse-json.ts';
  const MEMBERS = 'packages/protocol/src/json/parse-json-members.ts';
  const REQUEST = 'packages/clients/src/registration/registration-request.ts';
  const RESOURCES = 'packages/clients/src/resource-identifiers.ts';
  return [
    removal(
      'hosts are LDH labels',
      ['labels.every((label) => LABEL.test(label))', 'true'],
      HOST,
      'src/uri-host',
    ),
    removal(
      'names of hosts end',
      ['if (host.length > MAX_NAME_LENGTH) return false;', ''],
      HOST,
      'src/uri-host',
    ),
    removal('numbers at the end are IPv4', ['return isIpv4(labels);', ''], HOST, 'src/uri-host'),
    removal(
      'hosts in metadata',
      ['if (isNamed && !isHost(host))', 'if (false)'],
      READING,
      'src/rules/uri-rules',
    ),
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the text of a file
    removal('joiners have a letter in front', ['(?<=${JOINED})[', '['], TEXT, 'src/plain-text'),
    removal('joiners have a letter behind', ['(?=${JOINED})`', '`'], TEXT, 'src/plain-text'),
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the text of a file
    removal('numbers beyond 2^53', ['refuseInexact(value);', ''], JSON_TEXT, 'src/json/parse-json.test'),
    removal(
      'other members are left out',
      ['if (!isRead(name)) continue;', ''],
      MEMBERS,
      'src/json/parse-json-members',
    ),
    removal(
      'members are read once',
      ['if (members.has(name)) throw', 'if (false) throw'],
      MEMBERS,
      'src/json/parse-json-members',
    ),
    removal(
      'preset identifiers end',
      ['id.length <= MAX_PRESET_ID_LENGTH && ', ''],
      REQUEST,
      'src/registration/register-client',
    ),
    removal(
      'preset identifiers have an address',
      [' && !DOT_SEGMENTS.includes(id)', ''],
      REQUEST,
      'src/registration/register-client',
    ),
    removal(
      'resource servers alone have names',
      ['if (!mayIntrospect(metadata, issuer))', 'if (false)'],
      RESOURCES,
      'src/resource-identifiers',
    ),
    removal(
      'suspended clients change nothing themselves',
      ["client.status !== 'suspended') return;", 'true) return;'],
      'packages/clients/src/management/authorize-management.ts',
      'src/management/client-status',
    ),
    removal(
      'suspended entities stay suspended',
      ["if (status === 'suspended') throw", 'if (false) throw'],
      'packages/clients/src/registration/entity-registration.ts',
      'src/management/client-status',
    ),
    removal(
      'rotation by the operator ends the registration access token',
      ['if (presented === undefined) return undefined;', ''],
      'packages/clients/src/management/rotate-credentials.ts',
      'src/management/rotate-credentials',
    ),
    removal('names of ours', ['if (index !== -1)', 'if (false)'], RESOURCES, 'src/resource-identifiers'),
  ];
}
