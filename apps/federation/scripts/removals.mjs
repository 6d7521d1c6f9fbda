/** @typedef {import('@vestibule/testkit/check-removals').Removal} Removal */

const SOURCES = 'packages/federation/src';
const VALIDATE = 'chains/validate-chain.ts';
const SIGNATURES = 'chains/verify-signatures.ts';
const STATEMENT = 'statements/verify-statement.ts';
const PARSE = 'statements/parse-statement.ts';
const HEADER = 'statements/statement-header.ts';
const READER = 'chains/statement-reader.ts';
const METADATA = 'chains/resolve-metadata.ts';
const CONDITIONS = 'chains/anchor-conditions.ts';
const CONSTRAINTS = 'constraints/check-constraints.ts';
const APPLY = '../../metadata/src/policy/apply-policy.ts';
const MERGE = '../../metadata/src/policy/merge-policies.ts';

const LINKED = {
  file: VALIDATE,
  from: 'if (about !== entities[Math.max(0, index - 1)] || isForeign)',
  to: 'if (false)',
};

/**
 * The checks, each with the chains of which one is refused for it alone.
 * @type {readonly (Removal & { readonly titles: readonly string[] })[]}
 */
const CHAIN_REMOVALS = [
  {
    name: 'a statement of its own stands under the keys in it',
    file: SIGNATURES,
    from: 'const ofSubject = signingKeys(vouchedFor, subject);',
    to: 'const ofSubject = vouchedFor;',
    titles: ['the leaf signed with a key that only its superior knows'],
  },
  {
    name: 'the keys of the leaf are those in the statement of its superior',
    file: SIGNATURES,
    from: 'const ofSubject = signingKeys(vouchedFor, subject);',
    to: 'const ofSubject = subject.jwks;',
    titles: [
      'the leaf signed with a key of its own that its superior does not know',
      'the statement about the leaf has other keys',
    ],
  },
  {
    name: 'the keys of the anchor are those that are configured',
    file: SIGNATURES,
    from: 'let vouchedFor = pinned;',
    to: 'let vouchedFor = links.at(-1)?.configuration?.jwks ?? pinned;',
    titles: ['the anchor impersonated with keys of its own'],
  },
  {
    name: 'an intermediate signs with keys that it lists itself',
    file: SIGNATURES,
    from: 'const ofIssuer = signingKeys(vouchedFor, configuration);',
    to: 'const ofIssuer = vouchedFor;',
    titles: [
      'the statement about the leaf signed with a key that the intermediate has dropped',
      'the configuration of the intermediate signed with a key that it has dropped',
    ],
  },
  {
    name: 'names of naming_constraints that cannot be read',
    file: 'constraints/naming-constraints.ts',
    from: 'if (names.every(isReadable)) return names;',
    to: 'if (names.every(() => true)) return names;',
    titles: [
      ...['https://evil.example.com', '*.example.com', '', '.', 'rp.example.com:443', 'rp.exämple.com'].map(
        (name) => `the anchor excludes the name “${name}”, which cannot be read`,
      ),
      'the anchor permits an invalid name',
    ],
  },
  {
    name: 'federation_entity among allowed_entity_types',
    file: 'constraints/constraints.ts',
    from: 'if (!types.includes(ALWAYS_ALLOWED_TYPE)) return types;',
    to: 'if (types.length >= 0) return types;',
    titles: ['the anchor names federation_entity among the allowed entity types'],
  },
  {
    name: 'aud in a subordinate statement',
    file: PARSE,
    from: '[...CONFIGURATION_CLAIMS, AUDIENCE]',
    to: 'CONFIGURATION_CLAIMS',
    titles: ['the statement about the leaf has an audience'],
  },
  {
    name: 'source_endpoint',
    file: PARSE,
    from: 'if (value !== undefined && readEndpoint(value, allowHosts) === undefined)',
    to: 'if (false)',
    titles: [1, 'x', 'http://org.example.com/fetch', null, ['https://org.example.com/fetch']].map(
      (endpoint) => `the statement about the leaf has the source endpoint ${JSON.stringify(endpoint)}`,
    ),
  },
  {
    name: 'trust_anchor_hints',
    file: PARSE,
    from: '  if (value === undefined) return;\n',
    to: '  if (value !== 0) return;\n',
    titles: [[], 'https://anchor.example.org', ['x'], [1], null].map(
      (hints) => `the leaf has the anchor hints ${JSON.stringify(hints)}`,
    ),
  },
  {
    name: 'signatures of what entities say of themselves',
    file: STATEMENT,
    from: '  await requireSignature(statement, keys);\n  const content: EntityConfigurationContent',
    to: '  const content: EntityConfigurationContent',
    titles: [
      'the leaf signed with another key under its key id',
      'the leaf signed with an unknown key id',
      'the configuration of the anchor signed by an impostor',
      'the configuration of the intermediate signed by an outsider',
    ],
  },
  {
    name: 'signatures of what superiors say',
    file: STATEMENT,
    from: '  await requireSignature(statement, keys);\n  const content: SubordinateStatementContent',
    to: '  const content: SubordinateStatementContent',
    titles: [
      'the statement about the leaf signed by an outsider',
      'the statement about the leaf signed with the anchor’s key',
      'the statement about the intermediate signed by an impostor',
      'the statement about the intermediate has other keys',
    ],
  },
  {
    name: 'exp',
    file: STATEMENT,
    from: "if (expiresAt !== undefined && now >= expiresAt) throw new FederationFailure('expired', 'exp has passed');",
    to: '',
    titles: [
      'the leaf expired',
      'the statement about the leaf expired',
      'the statement about the intermediate expired',
      'the configuration of the anchor expired',
      'the configuration of the intermediate expired',
    ],
  },
  {
    name: 'exp is required',
    file: PARSE,
    from: "expiresAt: requireTime(claims, 'exp'),",
    to: "expiresAt: requireTime({ exp: 4102444800, ...claims }, 'exp'),",
    titles: ['the statement about the intermediate without exp'],
  },
  {
    name: 'iat',
    file: STATEMENT,
    from: 'if (issuedAt > now + LEEWAY_SECONDS)',
    to: 'if (false)',
    titles: ['the leaf issued in the future', 'the statement about the leaf issued in the future'],
  },
  {
    name: 'a superior is named by the entity below it',
    file: VALIDATE,
    from: 'if (below !== undefined && !below.authorityHints.includes(issuer))',
    to: 'if (false)',
    titles: ['the leaf names another superior'],
  },
  {
    name: 'a path follows what entities name',
    file: 'chains/fetch-superior.ts',
    from: 'new Set(topOf(path).authorityHints)',
    to: 'new Set([...topOf(path).authorityHints, ...anchors.keys()])',
    titles: ['the intermediate names another superior'],
  },
  {
    name: 'a statement is about the entity below',
    ...LINKED,
    titles: [
      'the statement about the leaf is about another entity',
      'the statement about the leaf is about the leaf with a slash',
      'the statement about the leaf is by another entity',
      'the statement about the intermediate is about another entity',
    ],
  },
  {
    name: 'a fetched statement has the expected issuer and subject',
    file: READER,
    from: 'if (!isExpected)',
    to: 'if (false)',
    also: [LINKED],
    titles: ['the configuration of the intermediate is about another entity'],
  },
  {
    name: 'a superior publishes where it is asked',
    file: READER,
    from: "metadata['federation_entity']?.['federation_fetch_endpoint']",
    to: "metadata['federation_entity']?.['federation_fetch_endpoint'] ?? subject + '/fetch'",
    also: [
      {
        file: READER,
        from: '{ metadata }: ParsedConfiguration',
        to: '{ metadata, subject }: ParsedConfiguration',
      },
    ],
    titles: ['the intermediate publishes no fetch endpoint'],
  },
  {
    name: 'crit',
    file: PARSE,
    from: "if (Object.hasOwn(claims, 'crit'))",
    to: 'if (false)',
    titles: ['the leaf has a critical extension'],
  },
  {
    name: 'metadata_policy_crit',
    file: PARSE,
    from: "if (Object.hasOwn(claims, 'metadata_policy_crit'))",
    to: 'if (false)',
    titles: ['the statement about the leaf has a critical policy operator'],
  },
  {
    name: 'typ',
    file: HEADER,
    from: 'if (!types.includes(header.typ))',
    to: 'if (false)',
    titles: ['the statement about the leaf is of another type'],
  },
  {
    name: 'a statement of a chain brings no chain',
    file: HEADER,
    from: "if (Object.hasOwn(members, 'trust_chain') || Object.hasOwn(members, 'peer_trust_chain'))",
    to: 'if (false)',
    titles: ['the statement about the leaf contains a chain'],
  },
  {
    name: 'what is no JSON that all parsers read alike',
    file: 'statements/decode-statement.ts',
    from: 'const { header, claims } = decodeUnverifiedJwt(token, maxLength);',
    to: "const [header, claims] = token.split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString())).map((part, index) => (index === 0 ? { ...part, members: part } : part));",
    titles: ['the statement about the leaf repeats a member'],
  },
  {
    name: 'the chain ends at an anchor',
    file: VALIDATE,
    from: 'anchors.get(anchor);',
    to: '(anchors.get(anchor) ?? [...anchors.values()][0]);',
    titles: ['the anchor is not configured'],
  },
  {
    name: 'the chain ends at the anchor that is asked for',
    file: VALIDATE,
    from: 'if (requestedAnchor !== undefined && requestedAnchor !== anchor)',
    to: 'if (false)',
    titles: ['another anchor is requested'],
  },
  {
    name: 'how many intermediates are accepted',
    file: VALIDATE,
    from: 'if (candidate.links.length - 1 > maxPathLengthTo(anchor, rules))',
    to: 'if (false)',
    titles: ['more intermediates than permitted'],
  },
  {
    name: 'the path length of one anchor',
    file: CONDITIONS,
    from: 'return byAnchor?.get(anchor)?.maxPathLength ?? maxPathLength;',
    to: 'return maxPathLength;',
    titles: ['more intermediates than permitted under this anchor'],
  },
  {
    name: 'the trust marks of one anchor',
    file: CONDITIONS,
    from: 'return byAnchor?.get(anchor)?.requiredMarks ?? requiredMarks;',
    to: 'return requiredMarks;',
    titles: ['a trust mark that this anchor requires is missing'],
  },
  {
    name: 'the deny list holds for every position',
    file: VALIDATE,
    from: '  requireNoneDenied(entities, rules);\n',
    to: '',
    also: [{ file: 'chains/fetch-superior.ts', from: '  requireNoneDenied([hint], rules);\n', to: '' }],
    titles: [
      'the leaf is on the deny list',
      'the intermediate is on the deny list',
      'the anchor is on the deny list',
    ],
  },
  {
    name: 'max_path_length',
    file: CONSTRAINTS,
    from: 'if (maxPathLength !== undefined && intermediates > maxPathLength)',
    to: 'if (false)',
    titles: ['more intermediates than the anchor allows'],
  },
  {
    name: 'naming_constraints',
    file: CONSTRAINTS,
    from: 'if (naming !== undefined && !below.every((entityId) => isNamePermitted(naming, entityId)))',
    to: 'if (false)',
    titles: [
      'the intermediate outside the names that the anchor permits',
      'the leaf among the names that the anchor excludes',
      'the leaf among the names that the intermediate excludes',
    ],
  },
  {
    name: 'the entity type that is needed',
    file: METADATA,
    from: 'if (entityType !== undefined && !Object.hasOwn(metadata, entityType))',
    to: 'if (false)',
    titles: ['the leaf is not a relying party'],
  },
  {
    name: 'allowed_entity_types',
    file: METADATA,
    from: 'return statements.reduce((metadata, { constraints }) => allowedMetadata(constraints, metadata), overridden);',
    to: 'return overridden;',
    titles: [
      'relying parties are not allowed below the anchor',
      'relying parties are not allowed below the intermediate',
    ],
  },
  {
    name: 'policies that contradict each other',
    file: MERGE,
    from: 'if (merged === undefined)\n',
    to: 'if (false)\n',
    titles: ['the policies of anchor and intermediate contradict each other'],
  },
  {
    name: 'policies that cannot be combined',
    file: MERGE,
    from: 'requireAllowedCombinations(parameter, policy);',
    to: '',
    titles: ['the policies of anchor and intermediate cannot be combined'],
  },
  {
    name: 'essential',
    file: APPLY,
    from: "if (operand === true && current === undefined) throw violation('an essential parameter is missing');",
    to: '',
    titles: ['the metadata does not comply with the anchor’s policy'],
  },
  {
    name: 'superset_of',
    file: APPLY,
    from: "if (!isSubset(operand, requireList(current, 'superset_of')))",
    to: 'if (false)',
    titles: ['the metadata does not comply with the intermediate’s policy'],
  },
].map(({ file, also = [], ...removal }) => ({
  ...removal,
  file: `${SOURCES}/${file}`,
  also: also.map(({ file: other, ...change }) => ({ ...change, file: `${SOURCES}/${other}` })),
  project: 'packages/federation',
  tests: ['src/chains/single-defect-chains.test.ts'],
}));

const ENTITY_REGISTRATION = 'packages/clients/src/registration/entity-registration.ts';
const RESOLVE_RELYING_PARTY = 'packages/federation/src/clients/resolve-relying-party.ts';

/** @type {readonly Removal[]} */
const REGISTRATION_REMOVALS = [
  {
    name: 'a statement without aud replaces no addressed registration',
    file: ENTITY_REGISTRATION,
    from: 'if (present.isAddressed && !next.isAddressed)',
    to: 'if (false)',
    project: 'packages/clients',
    tests: ['src/registration/register-federated-client.test.ts'],
  },
  {
    name: 'a registration without aud gives way to an addressed one',
    file: ENTITY_REGISTRATION,
    from: 'return next.isAddressed && !present.isAddressed;',
    to: 'return false;',
    project: 'packages/clients',
    tests: ['src/registration/register-federated-client.test.ts'],
  },
  {
    name: 'client_registration_types',
    file: ENTITY_REGISTRATION,
    from: 'types === undefined || (Array.isArray(types) && types.includes(type))',
    to: 'true',
    project: 'packages/clients',
    tests: ['src/registration/register-federated-client.test.ts'],
  },
  {
    name: 'a statement without aud is refused before anything is fetched',
    file: RESOLVE_RELYING_PARTY,
    from: 'needsAudience: relyingParty.isRequest && present.isAddressed,',
    to: 'needsAudience: false,',
    project: 'apps/federation',
    tests: ['test/register-entity/published-statement.test.ts'],
  },
  {
    name: 'a registration without aud does not date an addressed one',
    file: RESOLVE_RELYING_PARTY,
    from: '  if (givesWay(present, { isAddressed: isAddressed(relyingParty) })) return {};\n',
    to: '',
    project: 'apps/federation',
    tests: ['test/register-entity/published-statement.test.ts'],
  },
  {
    name: 'scope values beyond the rights are left out',
    file: 'packages/clients/src/registration/register-federated-client.ts',
    from: 'const metadata = withPermittedScope(effective, rights);',
    to: 'const metadata = effective;',
    project: 'packages/clients',
    tests: ['src/registration/register-federated-client.test.ts'],
  },
  {
    name: 'a client that could do nothing without its scope is refused',
    file: 'packages/clients/src/registration/register-federated-client.ts',
    from: 'if (LOGIN_GRANTS.some((grantType) => metadata.grant_types.includes(grantType))) return others;',
    to: 'if (values.length >= 0) return others;',
    project: 'packages/clients',
    tests: ['src/registration/register-federated-client.test.ts'],
  },
  {
    name: 'metadata that the provider does not offer',
    file: 'packages/federation/src/clients/offered-by-provider.ts',
    from: 'if (Array.isArray(provider[listedBy]) && missing !== undefined)',
    to: 'if (false)',
    project: 'apps/federation',
    tests: ['test/register-entity/left-out.test.ts'],
  },
  {
    name: 'members that were left out are shown with the value null',
    file: 'packages/federation/src/registration/registration-statement.ts',
    from: 'asPolicy([...members, ...leftOut(outcome)])',
    to: 'asPolicy(members)',
    project: 'apps/federation',
    tests: ['test/register-entity/left-out.test.ts'],
  },
  {
    name: 'statements of the cache are fetched anew before a signature is refused',
    file: 'packages/federation/src/chains/resolve-trust.ts',
    from: 'if (renewed === undefined) return judgement;',
    to: 'return judgement;',
    project: 'packages/federation',
    tests: ['src/chains/renewed-chain.test.ts'],
  },
  {
    name: 'a request object with sub names several of our addresses',
    file: 'packages/federation/src/registration/automatic-request.ts',
    from: 'const isUnambiguous = audience.length > 1 &&',
    to: 'const isUnambiguous =',
    project: 'packages/federation',
    tests: ['src/registration/automatic-request.test.ts'],
  },
  {
    name: 'keys_only gives no secret without aud',
    file: 'apps/federation/src/register-entity.ts',
    from: "mayHaveSecret: addressed || federation.draftProfile !== 'keys_only',",
    to: 'mayHaveSecret: true,',
    project: 'apps/federation',
    tests: ['test/register-entity/published-statement.test.ts'],
  },
];

const OPERATOR_TESTS = {
  project: 'apps/federation',
  tests: ['test/register-entity/operator-controls.test.ts'],
};
const COMPOSE = 'packages/service/src/federation/compose-registration.ts';

/** @type {readonly Removal[]} */
const OPERATOR_REMOVALS = [
  {
    name: 'operator: the deny list reaches resolutions',
    file: RESOLVE_RELYING_PARTY,
    from: '    denied: context.denied,\n',
    to: '',
    ...OPERATOR_TESTS,
  },
  {
    name: 'operator: a registration that was under way at a denial ends',
    file: 'apps/federation/src/register-entity.ts',
    from: '  await requireNotDeniedMeanwhile(federation, registered.client_id, registration.membership);\n',
    to: '',
    ...OPERATOR_TESTS,
  },
  {
    name: 'operator: a registration names its whole chain',
    file: 'packages/federation/src/clients/federated-registration.ts',
    from: '      chainEntities: chain.entities,\n',
    to: '',
    ...OPERATOR_TESTS,
  },
  {
    name: 'operator: a purge discards statements',
    file: COMPOSE,
    from: 'if (purgesSeen !== undefined && purges !== purgesSeen) statements = newStatements();',
    to: '',
    ...OPERATOR_TESTS,
  },
  {
    name: 'operator: the rights of one anchor',
    file: COMPOSE,
    from: 'rules.get(anchor)?.rights ?? ofAll',
    to: 'ofAll',
    project: 'apps/federation',
    tests: ['test/register-entity/anchor-rules.test.ts'],
  },
  {
    name: 'operator: the file of anchors is read again',
    file: 'packages/service/src/federation/anchor-file.ts',
    from: '      anchors = anchors.then(readAgain);\n',
    to: '      void readAgain;\n',
    project: 'apps/federation',
    tests: ['test/register-entity/anchor-rules.test.ts'],
  },
  {
    name: 'operator: the page of the explanation asks for the master token',
    file: 'apps/federation/src/explanation-page-routes.ts',
    from: 'if (token === undefined || !masterToken.matches(token))',
    to: 'if (false)',
    project: 'apps/federation',
    tests: ['test/explain/200.test.ts'],
  },
];

const STATUS = 'packages/federation/src/trust-marks/mark-status.ts';
const STATUS_TESTS = {
  project: 'apps/federation',
  tests: ['test/register-entity/trust-mark-status.slow.test.ts'],
};

/** @type {readonly Removal[]} */
const STATUS_REMOVALS = [
  {
    name: 'mark status: required marks are asked about',
    file: 'packages/federation/src/trust-marks/verify-trust-mark.ts',
    from: '  await requireActive(mark, issuer, context);\n',
    to: '  void requireActive;\n',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: marks that expire are asked about as well',
    file: 'packages/federation/src/trust-marks/verify-trust-mark.ts',
    from: '  await requireActive(mark, issuer, context);\n',
    to: '  if (mark.expiresAt === undefined) await requireActive(mark, issuer, context);\n',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: only active counts',
    file: STATUS,
    from: "if (requireText(claims, 'status') !== 'active')",
    to: 'if (false)',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: the response is about this mark',
    file: STATUS,
    from: " ||\n    requireText(claims, 'trust_mark') !== mark.token\n",
    to: '\n',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: the response is signed by the issuer',
    file: STATUS,
    from: '  await requireMarkSignature({ token: response }, JWT_TYP.trustMarkStatusResponse, keys);\n',
    to: '  void requireMarkSignature;\n  void keys;\n',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: the typ of the response',
    file: STATUS,
    from: '  requireSignedHeader(header, JWT_TYP.trustMarkStatusResponse);\n',
    to: '  void header;\n',
    also: [
      {
        file: STATUS,
        from: 'await requireMarkSignature({ token: response }, JWT_TYP.trustMarkStatusResponse, keys);',
        to: "await requireMarkSignature({ token: response }, header.typ ?? '', keys);",
      },
    ],
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: an endpoint that cannot be read refuses',
    file: STATUS,
    from: '  if (stated === undefined) return;\n',
    to: '  if (readEndpoint(stated, allowHosts) === undefined) return;\n',
    ...STATUS_TESTS,
  },
  {
    name: 'mark status: only an active response is kept',
    file: 'packages/federation/src/chains/statement-reader.ts',
    from: '      const text = await response;\n      await verify(text);\n',
    to: '      const text = await response;\n      if (known === undefined) await cache?.put(key, text, epochSeconds(nowSeconds(clock) + MARK_STATUS_SECONDS));\n      await verify(text);\n',
    also: [
      {
        file: 'packages/federation/src/chains/statement-reader.ts',
        from: 'if (known !== undefined && (await isAccepted(verify(known)))) return;',
        to: 'if (known !== undefined) return verify(known);\n      void isAccepted;',
      },
    ],
    ...STATUS_TESTS,
  },
];

const KEY_SET = 'packages/federation/src/registration/signed-key-set.ts';
const KEY_SET_TESTS = {
  project: 'apps/federation',
  tests: ['test/register-entity/signed-key-set.test.ts'],
};

/** @type {readonly Removal[]} */
const KEY_SET_REMOVALS = [
  {
    name: 'signed key set: it is signed by the entity',
    file: KEY_SET,
    from: '  await requireMarkSignature({ token }, JWT_TYP.jwkSet, ofSubject);\n',
    to: '  void requireMarkSignature;\n',
    ...KEY_SET_TESTS,
  },
  {
    name: 'signed key set: its end limits the registration',
    file: 'packages/federation/src/clients/federated-registration.ts',
    from: 'const expiresAt = Math.min(trust.expiresAt, keysExpireAt);',
    to: 'const { expiresAt } = trust;\n  void keysExpireAt;',
    ...KEY_SET_TESTS,
  },
  {
    name: 'signed key set: jwks and jwks_uri take precedence',
    file: 'packages/federation/src/clients/client-keys.ts',
    from: 'if (signed === undefined || jwks !== undefined || address !== undefined) return { metadata };',
    to: 'if (signed === undefined) return { metadata };',
    ...KEY_SET_TESTS,
  },
];

/**
 * Every removal; those of chain checks name the chains of which each is refused for one check alone.
 * @type {readonly Removal[]}
 */
export const REMOVALS = [
  ...CHAIN_REMOVALS,
  ...REGISTRATION_REMOVALS,
  ...OPERATOR_REMOVALS,
  ...STATUS_REMOVALS,
  ...KEY_SET_REMOVALS,
];
