import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccessToken } from '../access-token.js';
import { decideToken } from './token-decision.js';

const token: AccessToken = {
  clientId: 'client' as ClientId,
  scope: 'read',
  audience: [],
  issuer: 'https://as.example',
  issuedAt: 1000 as EpochSeconds,
  expiresAt: 2000 as EpochSeconds,
};
const rs1 = 'rs1' as ClientId;
const decide = (deviation: Partial<AccessToken>, now: number, caller: ClientId = rs1, ...names: string[]) =>
  decideToken(
    { format: 'identifier', token: { ...token, ...deviation } },
    [caller, ...names],
    now as EpochSeconds,
  );

describe('decideToken', () => {
  it('is inactive from the second of exp on, and not before', () => {
    expect(decide({}, 1999)).toMatchObject({ active: true });
    expect(decide({}, 2000)).toEqual({ active: false, reason: 'expired' });
    expect(decide({}, 2001)).toEqual({ active: false, reason: 'expired' });
  });

  it('is inactive before nbf', () => {
    const notBefore = 1500 as EpochSeconds;
    expect(decide({ notBefore }, 1499)).toEqual({ active: false, reason: 'not_yet_valid' });
    expect(decide({ notBefore }, 1500)).toMatchObject({ active: true });
  });

  it('is active for every caller without an audience, and only for its members with one', () => {
    const ids = fc.constantFrom('rs1', 'rs2', 'rs3', 'client', 'RS1', 'rs', 'rs1 ') as fc.Arbitrary<ClientId>;
    fc.assert(
      fc.property(fc.array(ids), ids, (audience, caller) => {
        const expected = audience.length === 0 || audience.some((member) => member === caller);
        expect(decide({ audience }, 1500, caller).active).toBe(expected);
      }),
    );
  });

  it('recognizes a caller by each of its names', () => {
    for (const audience of [['rs1'], ['https://api.example/'], ['rs2', 'https://api.example']])
      expect(decide({ audience }, 1500, rs1, 'https://api.example', 'https://api.example/').active).toBe(
        true,
      );
    for (const audience of [['https://api.example/v1'], ['rs2']])
      expect(decide({ audience }, 1500, rs1, 'https://api.example', 'https://api.example/').active).toBe(
        false,
      );
  });

  it('makes no exception for the client of the token', () => {
    expect(decide({ audience: ['rs2'] }, 1500, token.clientId)).toEqual({
      active: false,
      reason: 'foreign_audience',
    });
  });
});
