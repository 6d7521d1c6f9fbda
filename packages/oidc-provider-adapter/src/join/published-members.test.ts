import { expect, it } from 'vitest';
import { discoveryProblems, publishedMembers } from './published-members.js';

const ENDPOINTS = {
  registration: 'https://as.example/clients',
  introspection: 'https://as.example/token/introspect',
  logout: 'https://as.example/logout',
};

it('refuses each member of discovery that would contradict what is published, and takes the others', () => {
  const discovery = {
    ...publishedMembers(ENDPOINTS),
    service_documentation: 'https://as.example/docs',
    registration_endpoint: undefined,
  };
  expect(discoveryProblems({ discovery }, ENDPOINTS)).toEqual([]);
  expect(discoveryProblems({}, ENDPOINTS)).toEqual([]);
  for (const name of Object.keys(publishedMembers(ENDPOINTS)))
    for (const value of ['https://other.example', null, false])
      expect(discoveryProblems({ discovery: { [name]: value } }, ENDPOINTS)).toEqual([
        expect.stringMatching(
          new RegExp(`^discovery\\.${name}: must not be set to another value, .*Remove it\\.$`),
        ),
      ]);
});
