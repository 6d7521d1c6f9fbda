import { expect, it } from 'vitest';
import { type DocumentHosts, isPermittedHost, parseDocumentHosts } from './document-hosts.js';
import { parseDocumentUrl } from './document-url.js';

function isPermitted(hosts: string, url: string): boolean {
  const parsed = parseDocumentHosts(hosts) as DocumentHosts;
  const document = parseDocumentUrl(url);
  if (document === undefined) throw new TypeError(`${url} is not the URL of a document`);
  return isPermittedHost(parsed, document);
}

it.each([
  ['app.example', 'https://app.example/c', true],
  ['app.example', 'https://evil-app.example/c', false],
  ['app.example', 'https://evil.app.example/c', false],
  ['app.example', 'https://app.example.evil.example/c', false],
  ['app.example', 'https://app.example:8443/c', false],
  ['app.example:8443', 'https://app.example:8443/c', true],
  ['app.example:8443', 'https://app.example/c', false],
  ['*.app.example', 'https://one.app.example/c', true],
  ['*.app.example', 'https://one.two.app.example/c', true],
  ['*.app.example', 'https://app.example/c', false],
  ['*.app.example', 'https://evilapp.example/c', false],
  ['*.app.example', 'https://evil-app.example/c', false],
  ['*.app.example:8443', 'https://one.app.example:8443/c', true],
  ['*.app.example', 'https://one.app.example:8443/c', false],
  ['other.example, app.example', 'https://app.example/c', true],
  ['app.example', 'https://xn--pp-viab.example/c', false],
  ['any', 'https://anything.example/c', true],
])('with %s, %s is permitted: %s', (hosts, url, expected) => {
  expect(isPermitted(hosts, url)).toBe(expected);
});

it.each([
  '',
  ',',
  'https://app.example',
  'App.example',
  '*',
  '*.example',
  '*.*.example',
  'app.example/c',
  'äpp.example',
  'app.example:0',
  'app.example:65536',
  'one,*',
])('refuses %j as a list of hosts', (text) => {
  expect(parseDocumentHosts(text)).toBeUndefined();
});
