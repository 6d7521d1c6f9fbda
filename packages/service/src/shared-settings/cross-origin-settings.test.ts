import Type from 'typebox';
import { expect, it } from 'vitest';
import { loadSettings, SettingsError } from '../settings/load-settings.js';
import { CROSS_ORIGIN_SETTINGS } from './cross-origin-settings.js';

const schema = Type.Object(CROSS_ORIGIN_SETTINGS);
const read = (text: string | undefined) =>
  loadSettings(schema, { CORS_ALLOWED_ORIGINS: text }).CORS_ALLOWED_ORIGINS;

it('accepts origins as browsers serialize them, or all, and by default none', () => {
  expect(read(undefined)).toEqual([]);
  expect(read('*')).toEqual(['*']);
  const origins = [
    'https://app.example',
    'http://localhost:5173',
    'https://app.example:8443',
    'http://[::1]:3000',
  ];
  expect(read(origins.join(' , '))).toEqual(origins);
});

it('refuses values that no browser sends', () => {
  const wrong = [
    'null',
    'app.example',
    'https://app.example/',
    'https://app.example/path',
    'https://app.example?x',
    'https://app.example#x',
    'https://app.example:443',
    'http://app.example:80',
    'HTTPS://app.example',
    'https://APP.example',
    'https://bücher.example',
    'https://*.example',
    'https://user@app.example',
    'ftp://app.example',
    'data:text/html,x',
    '*,https://app.example',
  ];
  for (const text of wrong) expect(() => read(text), text).toThrow(SettingsError);
});
