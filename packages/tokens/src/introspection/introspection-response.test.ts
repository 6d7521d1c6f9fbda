import type { ClientId, EpochSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { describe, expect, it } from 'vitest';
import type { AccessToken } from '../access-token.js';
import { composeResponse, INACTIVE_RESPONSE } from './introspection-response.js';

const caller = 'rs1' as ClientId;
const token: AccessToken = {
  clientId: 'client' as ClientId,
  scope: 'read',
  audience: [],
  issuer: 'https://as.example',
  issuedAt: 1000 as EpochSeconds,
  expiresAt: 2000 as EpochSeconds,
};
const response = (deviation: Partial<AccessToken>, audience: readonly string[] = []) =>
  JSON.stringify(
    composeResponse({
      token: { ...token, ...deviation },
      caller,
      audience,
      scope: deviation.scope ?? token.scope,
    }),
  );

describe('composeResponse', () => {
  it('has the members of introspection/API.md#response in a fixed order, then the consented claims', () => {
    const complete: AccessToken = {
      ...token,
      notBefore: 1100 as EpochSeconds,
      subject: 'alice',
      username: 'alice@example.com',
      jti: 'j1',
      confirmation: { 'x5t#S256': 't' },
      actor: { sub: 'bob' },
      data: { tier: 'gold' },
      claims: { email: 'a@example.com' },
      sessionId: 's1',
      authorizationId: 'a1',
    };
    expect(response(complete, ['rs1'])).toBe(
      '{"scope":"read","client_id":"client","username":"alice@example.com","token_type":"Bearer","exp":2000,' +
        '"iat":1000,"nbf":1100,"sub":"alice","aud":["rs1"],"iss":"https://as.example","jti":"j1","sid":"s1",' +
        '"cnf":{"x5t#S256":"t"},"act":{"sub":"bob"},"dat":{"tier":"gold"},"email":"a@example.com"}',
    );
  });

  it('leaves out members that the token does not have', () => {
    expect(response({ scope: '' })).toBe(
      '{"client_id":"client","token_type":"Bearer","exp":2000,"iat":1000,"iss":"https://as.example"}',
    );
  });

  it('has the token type DPoP only for a token that is bound to a proof key (RFC 9449 section 6.2)', () => {
    const type = (confirmation: JsonObject) => JSON.parse(response({ confirmation })).token_type;
    expect(type({ jkt: 'thumbprint' })).toBe('DPoP');
    expect(type({ 'x5t#S256': 'thumbprint' })).toBe('Bearer');
    expect(type({ jkt: 1 })).toBe('Bearer');
  });

  it('never lets a claim replace a member of the protocol, not even an absent one', () => {
    const claims = JSON.parse(
      '{"active":false,"sub":"mallory","username":"root","aud":["rs9"],"exp":9,"jti":"x","sid":"x","nbf":1,' +
        '"cnf":{},"act":{},"dat":{},"scope":"all","token_type":"x","client_id":"x","iss":"x","iat":1}',
    );
    expect(response({ claims })).toBe(response({}));
  });
});

describe('INACTIVE_RESPONSE', () => {
  it('contains only active', () => {
    expect(JSON.stringify(INACTIVE_RESPONSE)).toBe('{"active":false}');
    expect(Object.isFrozen(INACTIVE_RESPONSE)).toBe(true);
  });
});
