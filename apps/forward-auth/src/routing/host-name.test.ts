import { describe, expect, it } from 'vitest';
import { hostKey, hostKeys, parseHostName } from './host-name.js';

describe('a host', () => {
  it.each([
    ['api.example', 'api.example', undefined],
    ['API.Example.', 'api.example', undefined],
    ['api.example:8443', 'api.example', 8443],
    ['api.example.:0443', 'api.example', 443],
    ['127.0.0.1:80', '127.0.0.1', 80],
    ['[::1]:80', '[::1]', 80],
    ['a_b-c', 'a_b-c', undefined],
  ])('%s is parsed without case and the dot of the root', (text, name, port) => {
    expect(parseHostName(text)).toEqual({ name, port });
  });

  it.each([
    '',
    '.',
    ':80',
    'api.example:',
    'api.example:x',
    'api.example:70000',
    'api..example',
    'api.example..',
    '.example',
    'a b',
    'a/b',
    'user@api.example',
    'a,b',
    'a.example, b.example',
    '[::1',
    'api.example:443:443',
    'ä.example',
  ])('%j is none', (text) => {
    expect(parseHostName(text)).toBeUndefined();
  });
});

describe('the requests of a host', () => {
  const keys = (text: string) => hostKeys(parseHostName(text) ?? { name: '', port: 0 }, 443);
  it('may name the default port or none', () => {
    expect(keys('api.example')).toEqual(['api.example', 'api.example:443']);
    expect(keys('api.example:443')).toEqual(['api.example', 'api.example:443']);
  });

  it('name any other port', () => {
    expect(keys('api.example:8443')).toEqual(['api.example:8443']);
    expect(hostKey({ name: 'api.example', port: 8443 })).toBe('api.example:8443');
  });
});
