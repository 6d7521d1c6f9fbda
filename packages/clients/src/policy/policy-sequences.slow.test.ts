import { type ClientId, DomainError } from '@vestibule/protocol';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePatch } from '../management/merge-patch.js';
import { updateClient } from '../management/update-client.js';
import { authorizeRegistration } from '../registration/authorize-registration.js';
import { registerClient } from '../registration/register-client.js';
import type { RegistrationDeps } from '../registration/registration-deps.js';
import { MASTER, registrationFixture } from '../testing/registration-fixture.js';
import { parseDeclaredPolicies } from './declared-policies.js';
import { declaredPolicy } from './declared-policy.js';
import { memberPolicyProblems } from './member-policy.js';

/** Values of members; those of `scope` by word. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  redirect_uris: ['https://a.example.org/cb', 'https://b.example.org/cb'],
  grant_types: ['authorization_code', 'implicit', 'refresh_token'],
  response_types: ['code', 'token id_token', 'id_token'],
  contacts: ['a@example.org', 'b@example.org', 'c@example.org'],
  scope: ['a', 'b', 'c'],
};
const SINGLES: Readonly<Record<string, readonly JsonValue[]>> = {
  client_name: ['One', 'Two', 'Three'],
  application_type: ['web', 'native'],
  token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post', 'none'],
  default_max_age: [60, 300],
  backchannel_logout_uri: ['https://a.example.org/logout'],
  backchannel_logout_session_required: [true, false],
};

const words = (values: readonly string[], minLength = 1) => fc.subarray([...values], { minLength });

const listPolicy = (values: readonly string[]) =>
  fc.record(
    {
      value: words(values),
      add: words(values),
      default: words(values),
      subset_of: words(values),
      superset_of: words(values),
      essential: fc.boolean(),
    },
    { requiredKeys: [] },
  );

const singlePolicy = (values: readonly JsonValue[]) =>
  fc.record(
    {
      value: fc.constantFrom(null, ...values),
      default: fc.constantFrom(...values),
      one_of: fc.subarray([...values], { minLength: 1 }),
      essential: fc.boolean(),
    },
    { requiredKeys: [] },
  );

const memberPolicy = fc.oneof(
  ...Object.entries(LISTS).map(([member, values]) =>
    listPolicy(values).map((policy) => ({ member, policy })),
  ),
  ...Object.entries(SINGLES).map(([member, values]) =>
    singlePolicy(values).map((policy) => ({ member, policy })),
  ),
);

/** The policy of a section, without operators that cannot be combined. */
const section = fc
  .uniqueArray(memberPolicy, { maxLength: 4, selector: ({ member }) => member })
  .map(
    (members): JsonObject =>
      Object.fromEntries(
        members
          .filter(({ member, policy }) => memberPolicyProblems(member, policy as JsonObject).length === 0)
          .map(({ member, policy }) => [member, policy as JsonObject]),
      ),
  );

/** Policies that can be declared together. */
const declarable = fc
  .record({ any: section, anonymous: section, initial_access_token: section, master_token: section })
  .map((all): Declared => {
    try {
      parseDeclaredPolicies(all);
      return all;
    } catch {
      return { any: all.any };
    }
  });

/** Grant types and response types that belong together. */
const FLOWS: readonly JsonObject[] = [
  {},
  { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
  { grant_types: ['implicit'], response_types: ['id_token', 'token id_token'] },
  { grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'id_token'] },
];

const members = fc.record(
  {
    redirect_uris: words(LISTS['redirect_uris'] ?? []),
    contacts: words(LISTS['contacts'] ?? []),
    scope: fc.constantFrom('', 'a', 'b a', 'a b c'),
    ...Object.fromEntries(
      Object.entries(SINGLES).map(([member, values]) => [member, fc.constantFrom(null, ...values)]),
    ),
    'client_name#de': fc.constantFrom('One', 'Two', 'Three'),
  },
  { requiredKeys: [] },
);

const body = fc.tuple(fc.constantFrom(...FLOWS), members).map(
  ([flow, others]): JsonObject => ({
    redirect_uris: ['https://a.example.org/cb'],
    ...flow,
    ...(others as JsonObject),
  }),
);

const step = fc.record({
  by: fc.constantFrom('client' as const, 'master' as const),
  change: fc.oneof(
    body.map((replacement) => ({ isPatch: false, body: replacement })),
    members.map((patch) => ({ isPatch: true, body: patch as JsonObject })),
  ),
});

/** Creating policies takes longer than applying them. */
const policies = fc.constantFrom(...fc.sample(declarable, 400));

const REGISTRANT_NAMES = ['anonymous', 'few granted scopes', 'all granted scopes', 'master'] as const;

interface Step {
  readonly by: 'client' | 'master';
  readonly change: { readonly isPatch: boolean; readonly body: JsonObject };
}

interface Sequence {
  readonly policies: Declared;
  readonly registrant: (typeof REGISTRANT_NAMES)[number];
  readonly first: JsonObject;
  readonly updates: readonly Step[];
}

const sequence: fc.Arbitrary<Sequence> = fc.record({
  policies,
  registrant: fc.constantFrom(...REGISTRANT_NAMES),
  first: body,
  updates: fc.array(step, { maxLength: 3 }),
});

interface Declared {
  readonly [section: string]: JsonObject;
}

/** The registrants, each with its token and its section of the policy; clients then update under the same one. */
const REGISTRANTS = {
  anonymous: { scope: undefined, section: 'anonymous' },
  'few granted scopes': {
    scope: 'client-reg:grant:code client-reg:scope:a',
    section: 'initial_access_token',
  },
  'all granted scopes': { scope: 'client-reg', section: 'initial_access_token' },
  master: { scope: MASTER, section: 'master_token' },
} as const;

it('permits no sequence of registration, updates and patches to register what the policy refuses', async () => {
  const fixture = await registrationFixture({ allowOpenRegistration: true });
  const seen = { registered: 0, updated: 0, refused: 0, defaulted: 0 };

  const register = async (deps: RegistrationDeps, registrant: Sequence['registrant'], first: JsonObject) => {
    const { scope } = REGISTRANTS[registrant];
    const token = scope === undefined || scope === MASTER ? scope : await fixture.issue(scope);
    const authority = await authorizeRegistration(fixture.deps, { token });
    const created = await unlessRefused(() => registerClient(deps, { authority, body: first }));
    seen[created === undefined ? 'refused' : 'registered'] += 1;
    return created?.information;
  };

  const expectObeyed = (outcome: Outcome) => {
    const { rules } = outcome;
    expect(rules.filter((rule) => !isObeyed(outcome, rule))).toEqual([]);
    seen.defaulted += rules.filter((rule) => isDefaultAlone(outcome, rule)).length;
  };

  const run = async ({ policies: declared, registrant, first, updates }: Sequence) => {
    const deps = { ...fixture.deps, policy: declaredPolicy(parseDeclaredPolicies(declared)) };
    const { section: own } = REGISTRANTS[registrant];
    const information = await register(deps, registrant, first);
    if (information === undefined) return;
    const { client_id: id } = information;
    let bearer = String(information['registration_access_token']);
    const expectObeyedBy = async (section: string, requested: JsonObject) =>
      expectObeyed({
        metadata: await metadataOf(deps, id),
        requested,
        rules: rulesOf(declared, ['any', section]),
      });
    await expectObeyedBy(own, first);
    for (const { by, change } of updates) {
      const token = by === 'client' ? bearer : MASTER;
      const before = await metadataOf(deps, id);
      const request = { id, token, isPatch: change.isPatch, body: { ...change.body, client_id: id } };
      const response = await unlessRefused(() => updateClient(deps, request));
      if (response === undefined) continue;
      seen.updated += 1;
      bearer = String(response.information['registration_access_token']);
      await expectObeyedBy(by === 'client' ? own : 'master_token', requestedBy(change, before));
    }
  };

  await fc.assert(fc.asyncProperty(sequence, run), { numRuns: 2_000 });
  // Otherwise the property would be vacuous.
  const { defaulted, ...requests } = seen;
  expect(defaulted).toBeGreaterThan(50);
  for (const count of Object.values(requests)) expect(count).toBeGreaterThan(300);
});

async function unlessRefused<Result>(operate: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await operate();
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function requestedBy({ isPatch, body: changes }: Step['change'], before: JsonObject): JsonObject {
  return isPatch ? mergePatch(before, changes) : changes;
}

async function metadataOf({ clients }: RegistrationDeps, id: string): Promise<JsonObject> {
  return (await clients.find(id as ClientId))?.metadata ?? {};
}

function rulesOf(declared: Declared, sections: readonly string[]): readonly Rule[] {
  const policiesOfMembers = sections.flatMap((name) => Object.entries(declared[name] ?? {}));
  return policiesOfMembers.flatMap(([member, operators]) =>
    Object.entries(operators as JsonObject).map(([operator, operand]) => ({ member, operator, operand })),
  );
}

interface Rule {
  readonly member: string;
  readonly operator: string;
  readonly operand: JsonValue;
}

/** The requested and the finally registered metadata, and all rules that applied. */
interface Outcome {
  readonly metadata: JsonObject;
  readonly requested: JsonObject;
  readonly rules: readonly Rule[];
}

const MAY_CHANGE_A_DEFAULT = ['value', 'add', 'subset_of'];

/** Whether a rule is a default that only the metadata rules can have changed. */
function isDefaultAlone({ metadata, requested, rules }: Outcome, { member, operator }: Rule): boolean {
  if (operator !== 'default' || isIdle(metadata, member) || (requested[member] ?? null) !== null)
    return false;
  return !rules.some((rule) => rule.member === member && MAY_CHANGE_A_DEFAULT.includes(rule.operator));
}

function isIdle(metadata: JsonObject, member: string): boolean {
  return member === 'backchannel_logout_session_required' && metadata['backchannel_logout_uri'] === undefined;
}

/** Whether the finally registered metadata obeys a rule. */
function isObeyed(outcome: Outcome, rule: Rule): boolean {
  const { metadata } = outcome;
  const { member, operator, operand } = rule;
  const value = metadata[member];
  if (value === undefined && isIdle(metadata, member)) return true;
  const meaning = MEANINGS[operator];
  if (meaning === undefined) throw new Error('no such operator');
  const variant = metadata[`${member}#de`];
  const isAlone = isDefaultAlone(outcome, rule);
  return meaning({
    member,
    value,
    operand,
    given: partsOf(value),
    wanted: partsOf(operand),
    variant,
    isAlone,
  });
}

interface Obeyed extends Rule {
  readonly value: JsonValue | undefined;
  readonly given: readonly JsonValue[];
  readonly wanted: readonly JsonValue[];
  readonly variant: JsonValue | undefined;
  readonly isAlone: boolean;
}

const isWithin = (parts: readonly JsonValue[], others: readonly JsonValue[]) =>
  parts.every((part) => others.includes(part));

const isSame = (parts: readonly JsonValue[], others: readonly JsonValue[]) =>
  isWithin(parts, others) && isWithin(others, parts);

const MEANINGS: Readonly<Record<string, (obeyed: Omit<Obeyed, 'operator'>) => boolean>> = {
  value: ({ value, operand, given, wanted, variant }) => {
    if (variant !== undefined) return false;
    return operand === null ? value === undefined : isSame(given, wanted);
  },
  add: ({ given, wanted }) => isWithin(wanted, given),
  // Other operators can leave a scope without values, which counts as missing.
  default: ({ member, value, given, wanted, isAlone }) =>
    isAlone ? isSame(given, wanted) : value !== undefined || member === 'scope',
  one_of: ({ value, variant, wanted }) =>
    [value, variant].every((each) => each === undefined || wanted.includes(each)),
  subset_of: ({ given, wanted }) => isWithin(given, wanted),
  superset_of: ({ value, given, wanted }) => value === undefined || isWithin(wanted, given),
  essential: ({ value, operand }) => operand === false || value !== undefined,
};

/** The items of a list, the words of `scope`, otherwise the value itself; response types with sorted words. */
function partsOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return typeof value === 'string' ? value.split(' ') : [value];
  return value.map((item: JsonValue) => (typeof item === 'string' ? item.split(' ').sort().join(' ') : item));
}
