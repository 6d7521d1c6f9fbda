import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { misspeltSettings } from './misspelt-settings.js';

const SCHEMAS = [
  Type.Object({
    ALLOW_OPEN_REGISTRATION: Type.Boolean(),
    MASTER_TOKEN_SHA256: { ...Type.String(), isSecret: true },
    HOST: Type.String(),
  }),
];

describe('misspeltSettings', () => {
  it.each([
    ['ALLOW_OPEN_REGISTRATIONS', 'ALLOW_OPEN_REGISTRATION'],
    ['ALLOW_OPEN_REGISTRATON', 'ALLOW_OPEN_REGISTRATION'],
    ['ALLOWOPENREGISTRATION', 'ALLOW_OPEN_REGISTRATION'],
    ['MASTER_TOKEN_SHA_256', 'MASTER_TOKEN_SHA256'],
    ['MASTER_TOKEN_SHA256_FILES', 'MASTER_TOKEN_SHA256_FILE'],
  ])('names for %s the setting %s', (name, meant) => {
    expect(misspeltSettings(SCHEMAS, { [name]: 'x' })).toEqual([{ name, meant }]);
  });

  it.each([
    'ALLOW_OPEN_REGISTRATION',
    'MASTER_TOKEN_SHA256_FILE',
    'HOME',
    'HOSTNAME',
    'ALLOW_REGISTRATION',
    'PATH',
  ])('says nothing about %s', (name) => {
    expect(misspeltSettings(SCHEMAS, { [name]: 'x' })).toEqual([]);
  });

  it('ignores an empty variable', () => {
    expect(misspeltSettings(SCHEMAS, { ALLOW_OPEN_REGISTRATIONS: '' })).toEqual([]);
  });
});
