import { expect, it } from 'vitest';
import { parseDeclaredPolicies } from './declared-policies.js';

const problem = (policies: unknown) => {
  try {
    parseDeclaredPolicies(policies);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return undefined;
};

it('parses every operator in the form of OpenID Federation', () => {
  const policies = {
    any: {
      scope: { subset_of: ['openid', 'email'], superset_of: ['openid'], essential: true },
      contacts: { add: ['ops@example.org'] },
      response_types: { subset_of: ['token id_token', 'code'] },
      default_max_age: { one_of: [60, 300], default: 60 },
    },
    anonymous: { client_uri: { value: null }, application_type: { value: 'web' } },
    initial_access_token: { scope: { default: 'openid' } },
    master_token: {},
  };
  expect(problem(policies)).toBeUndefined();
});

it.each([
  [
    'a list',
    [],
    'must be a JSON object of policies by credential (any, anonymous, initial_access_token, master_token, metadata_document)',
  ],
  [
    'an unknown registrant',
    { other: {} },
    'other is none of any, anonymous, initial_access_token, master_token, metadata_document',
  ],
  ['a section that is no object', { any: 1 }, 'any must be an object of policies by member'],
  ['an unknown member', { any: { redirect_uri: {} } }, 'any.redirect_uri: is not a client metadata member'],
  [
    'a language-tagged member',
    { any: { 'client_name#de': {} } },
    'any.client_name#de: is not a client metadata member',
  ],
  ['a policy that is no object', { any: { scope: 'a' } }, 'any.scope: must be an object of operators'],
  ['an unknown operator', { any: { scope: { regexp: 'a' } } }, 'any.scope: regexp is no operator'],
  [
    'an operand that the operator does not take',
    { any: { scope: { essential: 1 } } },
    'any.scope: essential has an operand of the wrong type',
  ],
  [
    'an operator for lists on another member',
    { any: { client_name: { subset_of: ['a'] } } },
    'any.client_name: subset_of is only for members that are lists',
  ],
  [
    'one_of on a list',
    { any: { grant_types: { one_of: ['implicit'] } } },
    'any.grant_types: one_of is only for members that are not lists',
  ],
  [
    'a value of another type',
    { any: { default_max_age: { value: '1' } } },
    'any.default_max_age: value has a value that is not of the type of the member',
  ],
  [
    'an alternative of another type',
    { any: { application_type: { one_of: ['web', 'mobile'] } } },
    'any.application_type: one_of has a value that is not of the type of the member',
  ],
  [
    'the removal of a member that has a default',
    { any: { grant_types: { value: null } } },
    'any.grant_types: value cannot remove a member that has a default',
  ],
  [
    'another software statement than the signed one',
    { any: { software_statement: { value: 'e30.e30.e30' } } },
    'any.software_statement: value cannot be used: a software statement is registered as it was signed',
  ],
  [
    'operators that cannot stand together',
    { any: { client_name: { value: 'a', one_of: ['b'] } } },
    'any.client_name: value and one_of cannot stand together with these operands',
  ],
  [
    'a contradiction of the section any and another section',
    { any: { client_name: { value: 'a' } }, anonymous: { client_name: { value: 'b' } } },
    'any and anonymous contradict each other on client_name: the operands of value cannot be merged',
  ],
  [
    'a contradiction of the tokens, which may both have registered a client that updates itself',
    {
      initial_access_token: { client_name: { one_of: ['a'] } },
      master_token: { client_name: { one_of: ['b'] } },
    },
    'initial_access_token and master_token contradict each other on client_name: the operands of one_of cannot be merged',
  ],
])('refuses %s', (_, policies, expected) => {
  expect(problem(policies)).toBe(expected);
});

it('reports every problem at once', () => {
  const policies = { any: { x: {}, scope: { regexp: 'a', essential: 1 } }, other: {} };
  expect(problem(policies)?.split('; ')).toHaveLength(4);
  const contradictory = {
    any: { client_name: { value: 'a' }, client_uri: { value: null } },
    anonymous: { client_name: { value: 'b' }, client_uri: { essential: true } },
  };
  expect(problem(contradictory)?.split('; ')).toHaveLength(2);
});

it.each<[string, object]>([
  ['default', { default: 'A256GCM' }],
  ['value', { value: 'A256GCM' }],
])('refuses a %s of content encryption for clients without key management', (_, enc) => {
  const [member, key] = ['id_token_encrypted_response_enc', 'id_token_encrypted_response_alg'];
  const why = `${member} has a value or default; ${key} needs one too, or essential`;
  const registrants = ['anonymous', 'initial_access_token', 'master_token', 'metadata_document'];
  const problems = (names: readonly string[]) => names.map((name) => `${name}: ${why}`).join('; ');
  expect(problem({ any: { [member]: enc } })).toBe(problems(registrants));
  expect(problem({ anonymous: { [member]: enc } })).toBe(problems(['anonymous']));
  expect(problem({ any: { [member]: enc }, anonymous: { [key]: { value: 'RSA-OAEP-256' } } })).toBe(
    problems(registrants.slice(1)),
  );
  for (const alone of [{ value: null }, { one_of: ['RSA-OAEP-256'] }, { essential: false }])
    expect(problem({ any: { [member]: enc, [key]: alone } })).toBe(problems(registrants));
  for (const whole of [{ value: 'RSA-OAEP-256' }, { default: 'RSA-OAEP-256' }, { essential: true }])
    expect(problem({ any: { [member]: enc, [key]: whole } })).toBeUndefined();
  expect(problem({ any: { [member]: { one_of: ['A256GCM'] } } })).toBeUndefined();
});

it('quotes no operand', () => {
  const secret = 'operand-that-must-stay-secret';
  for (const operator of ['value', 'add', 'default', 'one_of', 'subset_of', 'superset_of', 'essential'])
    for (const operand of [secret, [secret], { [secret]: 1 }, 1])
      expect(problem({ any: { redirect_uris: { [operator]: operand } } }) ?? '').not.toContain(secret);
});
