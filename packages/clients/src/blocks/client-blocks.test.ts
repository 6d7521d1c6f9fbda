import { expect, it } from 'vitest';
import { parseBlockedHost, parseBlockedRedirectUri, parseBlockedSoftware } from './client-blocks.js';

it.each([
  ['app.example', 'app.example'],
  ['APP.Example', 'app.example'],
  ['app.example.', 'app.example'],
  ['*.App.example', '*.app.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['ａｐｐ.example', 'app.example'],
  ['*.bücher.example', '*.xn--bcher-kva.example'],
  ['[2001:DB8:0::1]', '[2001:db8::1]'],
  ['127.1', '127.0.0.1'],
  ['localhost', 'localhost'],
  ['rp_1.App.example', 'rp_1.app.example'],
])('reads the host %s as clients register it', (text, value) => {
  expect(parseBlockedHost(text)).toEqual({ kind: 'host', value });
});

it.each([
  '',
  '.',
  '*',
  '*.',
  '*.example',
  '*.127.0.0.1',
  '*.[::1]',
  'a.*.example',
  'https://app.example',
  'app.example/',
  'app.example:443',
  'user@app.example',
  'app.example?x',
  'app.example#x',
  'app.example\\x',
  'app%2eexample',
  'app example',
  'a..example',
  'app.example..',
  '_app.example',
])('refuses "%s" as a host', (text) => {
  expect(() => parseBlockedHost(text)).toThrow(TypeError);
});

it.each([
  'https://app.example/cb?x=1',
  'https://app.example/*',
  'https://app.example:8443/*',
  'com.app:/cb',
  'cursor://anysphere.cursor-mcp/*',
])('reads the redirect URI %s', (value) => {
  expect(parseBlockedRedirectUri(value)).toEqual({ kind: 'redirect_uri', value });
});

it('reads a scheme with or without slashes', () => {
  for (const text of ['cursor:*', 'cursor://*'])
    expect(parseBlockedRedirectUri(text)).toEqual({ kind: 'redirect_uri', value: 'cursor:*' });
});

it.each([
  '*',
  'https:*',
  'HTTP://*',
  'https://*.app.example/cb',
  'https://app.example*',
  'https://app.example/a/*',
  'https://app.example/?*',
  'https://app.example/*/cb',
  'https://user@app.example/*',
  'https://user@app.example/cb',
  'app.example/cb',
  'https://bücher.example/cb',
  'https://app.example/cb#x',
  'https://app.example:0443/cb',
  'https://app.example\\@other.example/cb',
])('refuses "%s" as a redirect URI', (text) => {
  expect(() => parseBlockedRedirectUri(text)).toThrow(TypeError);
});

it('refuses an empty software_id, and keeps any other as it is', () => {
  expect(() => parseBlockedSoftware('')).toThrow(TypeError);
  expect(parseBlockedSoftware(' A ')).toEqual({ kind: 'software_id', value: ' A ' });
});
