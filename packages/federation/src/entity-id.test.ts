import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configurationAddress, hostOf, parseEntityId } from './entity-id.js';
import { anEntityId } from './testing/entity-ids.js';

describe('parseEntityId', () => {
  it('accepts https URLs with host, port and path, and changes nothing', () => {
    for (const id of [
      'https://rp.example',
      'https://rp.example/',
      'https://rp.example:8443/a/b',
      `https://rp.example/${'a'.repeat(2029)}`,
    ])
      expect(parseEntityId(id)).toBe(id);
  });

  it('refuses values that are not valid entity identifiers', () => {
    for (const id of [
      '',
      'rp.example',
      'http://rp.example',
      'https://',
      'https://rp.example?',
      'https://rp.example/?a=b',
      'https://rp.example#',
      'https://user@rp.example',
      'https://rp.example/a/../b',
      'https://RP.example',
      'HTTPS://rp.example',
      'https://rp.example:443',
      ' https://rp.example',
      'https://rp.example\n',
      'https://rp.exämple',
      'https://rp.example./',
      'javascript:alert(1)',
      `https://rp.example/${'a'.repeat(2030)}`,
      undefined,
      null,
      1,
      ['https://rp.example'],
      { href: 'https://rp.example' },
    ])
      expect(parseEntityId(id), JSON.stringify(id)).toBeUndefined();
  });

  it('accepts http only on listed hosts', () => {
    expect(parseEntityId('http://127.0.0.1:8080/rp', ['127.0.0.1'])).toBe('http://127.0.0.1:8080/rp');
    expect(parseEntityId('http://localhost:8080', ['localhost:8080'])).toBeDefined();
    expect(parseEntityId('http://localhost:8081', ['localhost:8080'])).toBeUndefined();
    expect(parseEntityId('http://evil.example', ['127.0.0.1'])).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.webUrl(), fc.string()), (value) => {
        parseEntityId(value);
      }),
    );
  });
});

it('locates the configuration of an entity below its identifier, with or without a trailing slash', () => {
  expect(configurationAddress(anEntityId('https://rp.example/a'))).toBe(
    'https://rp.example/a/.well-known/openid-federation',
  );
  expect(configurationAddress(anEntityId('https://rp.example/'))).toBe(
    'https://rp.example/.well-known/openid-federation',
  );
});

it('returns the host without the port', () => {
  expect(hostOf(anEntityId('https://rp.example:8443/a'))).toBe('rp.example');
});
