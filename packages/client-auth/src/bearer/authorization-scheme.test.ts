import { describe, expect, it } from 'vitest';
import { schemeCredentials } from './authorization-scheme.js';

describe('schemeCredentials', () => {
  it('finds the credentials after the scheme in any case of letters and any number of spaces', () => {
    for (const header of ['Basic YTpi', 'basic YTpi', 'BASIC    YTpi'])
      expect(schemeCredentials(header, 'Basic')).toBe('YTpi');
  });

  it('knows the scheme although its credentials cannot be read', () => {
    const broken = [
      'Basic',
      'Basic ',
      'Basic a b',
      'Basic\tYTpi',
      'Basic YTpi ',
      `Basic ${'a'.repeat(8192)}`,
    ];
    for (const header of broken) expect(schemeCredentials(header, 'Basic'), header.slice(0, 20)).toBe('');
  });

  it('does not take another scheme for its own', () => {
    for (const header of ['', 'Bearer YTpi', 'Basics YTpi', 'Basic-2 YTpi', 'Bas', ' Basic YTpi'])
      expect(schemeCredentials(header, 'Basic'), header).toBeUndefined();
  });
});
