import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessToken } from './access-token.js';
import { whyInactive } from './inactive-reason.js';

const token: AccessToken = {
  clientId: 'client' as ClientId,
  scope: 'read',
  audience: [],
  issuer: 'https://as.example',
  issuedAt: 1000 as EpochSeconds,
  expiresAt: 2000 as EpochSeconds,
};
const rs1 = 'rs1' as ClientId;
const reason = (deviation: Partial<AccessToken>, now: number, caller: ClientId = rs1, ...names: string[]) =>
  whyInactive({ ...token, ...deviation }, [caller, ...names], now as EpochSeconds);

describe('whyInactive', () => {
  it('is inactive from the second of exp on, and not before', () => {
    expect(reason({}, 1999)).toBeUndefined();
    expect(reason({}, 2000)).toBe('expired');
    expect(reason({}, 2001)).toBe('expired');
  });

  it('is inactive before nbf', () => {
    const notBefore = 1500 as EpochSeconds;
    expect(reason({ notBefore }, 1499)).toBe('not_yet_valid');
    expect(reason({ notBefore }, 1500)).toBeUndefined();
  });

  it('is active for every caller without an audience, and only for its members with one', () => {
    const ids = fc.constantFrom('rs1', 'rs2', 'rs3', 'client', 'RS1', 'rs', 'rs1 ') as fc.Arbitrary<ClientId>;
    fc.assert(
      fc.property(fc.array(ids), ids, (audience, caller) => {
        const isMember = audience.length === 0 || audience.some((member) => member === caller);
        expect(reason({ audience }, 1500, caller)).toBe(isMember ? undefined : 'foreign_audience');
      }),
    );
  });

  it('recognizes a caller by each of its names', () => {
    for (const audience of [['rs1'], ['https://api.example/'], ['rs2', 'https://api.example']])
      expect(reason({ audience }, 1500, rs1, 'https://api.example', 'https://api.example/')).toBeUndefined();
    for (const audience of [['https://api.example/v1'], ['rs2']])
      expect(reason({ audience }, 1500, rs1, 'https://api.example', 'https://api.example/')).toBe(
        'foreign_audience',
      );
  });

  it('makes no exception for the client of the token', () => {
    expect(reason({ audience: ['rs2'] }, 1500, token.clientId)).toBe('foreign_audience');
  });
});
