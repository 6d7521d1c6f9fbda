import { expect, it } from 'vitest';
import { documentUrlProblem, parseDocumentUrl } from './document-url.js';

it.each([
  'https://app.example/client.json',
  'https://app.example/a/b/',
  'https://app.example:8443/client.json',
  'https://app.example/client?version=2',
  'https://app.example/.well-known/client',
  'https://app.example/a..b/c',
  'https://xn--mnchen-3ya.example/client.json',
])('reads %s as the URL of a document', (url) => {
  expect(parseDocumentUrl(url)).toBe(url);
});

it.each([
  'app.example/client.json',
  'http://app.example/client.json',
  'HTTPS://app.example/client.json',
  'https://app.example',
  'https://app.example/',
  'https://app.example/?client',
  'https://APP.example/client.json',
  'https://app.example:443/client.json',
  'https://app.example:0443/client.json',
  'https://user@app.example/client.json',
  'https://user:pass@app.example/client.json',
  'https://@app.example/client.json',
  'https://app.example/client.json#',
  'https://app.example/client.json#a',
  'https://app.example/./client.json',
  'https://app.example/a/../client.json',
  'https://app.example/a/%2E%2e/client.json',
  'https://app.example/..;/client.json',
  'https://app.example\\client.json',
  'https:/app.example/client.json',
  'https:///app.example/client.json',
  'https://app.example/client\t.json',
  ' https://app.example/client.json',
  'https://münchen.example/client.json',
  'https://app．example/client.json',
  'https://0x7f.1/client.json',
  'https://2130706433/client.json',
  `https://app.example/${'a'.repeat(500)}`,
  undefined,
  42,
])('does not read %s as one', (url) => {
  expect(parseDocumentUrl(url)).toBeUndefined();
});

it('permits http only on listed hosts, for development', () => {
  expect(parseDocumentUrl('http://127.0.0.1:8080/client.json', ['127.0.0.1:8080'])).toBeDefined();
  expect(parseDocumentUrl('http://127.0.0.1:8081/client.json', ['127.0.0.1:8080'])).toBeUndefined();
});

it('names the rule that an identifier breaks', () => {
  expect(documentUrlProblem('https://app.example/')).toBe('must have a path');
  expect(documentUrlProblem('https://app.example/client.json')).toBeUndefined();
});
