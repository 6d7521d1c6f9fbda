import { describe, expect, it } from 'vitest';
import { clientFileProblems, clientFileSchema } from './client-file.js';
import { MEMBER_NAMES } from './metadata-schema.js';

const CLIENT = { client_id: 'shop', redirect_uris: ['https://shop.example.org/cb'] };

describe('clientFileProblems', () => {
  it('accepts every member of client metadata, language-tagged ones and data', () => {
    const client = { ...CLIENT, 'client_name#de-CH': 'Laden', default_max_age: 60, data: { any: [1] } };
    expect(clientFileProblems(client)).toEqual([]);
  });

  it('lists all problems with their members, and quotes no values', () => {
    const problems = clientFileProblems({
      client_secret: 'not-shown',
      redirect_uris: ['https://shop.example.org/cb', 2],
      application_type: 'not-shown',
      client_name: null,
      'client_name#': 'not-shown',
      default_max_age: -1,
      data: [],
      contacts: Array(101).fill('a'),
      ['__proto__x']: 1,
    });
    expect(problems.map(({ member }) => member)).toEqual([
      ...[
        'client_id',
        'client_secret',
        'redirect_uris[1]',
        'application_type',
        'client_name',
        'client_name#',
      ],
      ...['default_max_age', 'data', 'contacts', '__proto__x'],
    ]);
    expect(JSON.stringify(problems)).not.toContain('not-shown');
  });

  it.each(['client_secret', 'preferred_client_secret', 'client_secret_hash', 'registration_access_token'])(
    'refuses the credential %s',
    (name) => {
      const [problem] = clientFileProblems({ ...CLIENT, [name]: 'x' });
      expect(problem).toMatchObject({ member: name, problem: expect.stringContaining('remove the secret') });
    },
  );

  it.each([[null], [[]], ['shop'], [1]])('refuses %j', (value) => {
    expect(clientFileProblems(value)).toEqual([
      { member: '', problem: 'must be an object with the members of a client' },
    ]);
  });

  it.each(['', ' a', 'a ', 'ä', 'a\n', 'a'.repeat(257), 7])('refuses the identifier %j', (client_id) => {
    expect(clientFileProblems({ ...CLIENT, client_id })[0]).toMatchObject({ member: 'client_id' });
  });
});

it('makes the schema for editors of the members that registrations have', () => {
  const schema = JSON.parse(JSON.stringify(clientFileSchema()));
  expect(Object.keys(schema.definitions.client.properties)).toEqual(['client_id', ...MEMBER_NAMES, 'data']);
  expect(schema.definitions.client).toMatchObject({ required: ['client_id'], additionalProperties: false });
  for (const [name, property] of Object.entries<object>(schema.definitions.client.properties))
    expect(property, name).toHaveProperty('description');
});
