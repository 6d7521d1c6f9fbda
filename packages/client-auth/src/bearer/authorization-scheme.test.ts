import { describe, expect, it } from 'vitest';
import { schemeCredentials } from './authorization-scheme.js';

describe('schemeCredentials', () => {
  it('finds the credentials after the scheme, in any case and after any number of spaces', () => {
    for (const header of ['Basic YTpi', 'basic YTpi', 'BASIC    YTpi'])
      expect(schemeCredentials(header, 'Basic')).toBe('YTpi');
  });

  it('recognizes the scheme even if its credentials cannot be read', () => {
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

  it('does not accept another scheme', () => {
    for (const header of ['', 'Bearer YTpi', 'Basics YTpi', 'Basic-2 YTpi', 'Bas', ' Basic YTpi'])
      expect(schemeCredentials(header, 'Basic'), header).toBeUndefined();
  });
});
