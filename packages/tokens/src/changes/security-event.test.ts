import { decodeUnverifiedJwt } from '@vestibule/crypto/jwt';
import { epochSeconds, nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { expect, it } from 'vitest';
import { aTokenFixture, ISSUER } from '../testing/token-fixture.js';
import { JWT_MAX_LENGTH } from '../token-syntax.js';
import type { Change } from './change.js';
import { issueSecurityEvent, SESSION_REVOKED } from './security-event.js';

const OCCURRED = epochSeconds(1_780_000_000);
const AUDIENCE = 'https://team.example/changes';
const SESSION = { sid: 's', sub: 'alice', clients: { app: { sid: 'b' } } };
const USER = { format: 'iss_sub', iss: ISSUER, sub: 'alice' };
const OPAQUE = { format: 'opaque', id: 's' };

async function tokenOf(change: Pick<Change, 'type' | 'reason' | 'members'>) {
  const fixture = await aTokenFixture();
  const deps = { ...fixture, algorithm: 'ES256', audience: AUDIENCE } as const;
  const token = await issueSecurityEvent(deps, { id: 'e', occurredAt: OCCURRED, ...change });
  return { now: nowSeconds(fixture.clock), ...decodeUnverifiedJwt(token, JWT_MAX_LENGTH) };
}

// RFC 8417 section 2.2; section 4 on what else a token could pass for.
it('has the identifier and the time of the change, one event, its type, and neither exp nor sub', async () => {
  const members = { client_id: 'app' };
  const { now, header, claims } = await tokenOf({ type: 'client.ended', reason: 'deleted', members });
  expect(header.members).toEqual({ alg: 'ES256', typ: 'secevent+jwt', kid: 'k1' });
  expect(claims).toEqual({
    iss: ISSUER,
    aud: AUDIENCE,
    iat: now,
    jti: 'e',
    toe: OCCURRED,
    events: {
      [`${ISSUER}/direct-authz/changes#client.ended`]: {
        id: 'e',
        type: 'client.ended',
        occurred_at: OCCURRED,
        reason: 'deleted',
        client_id: 'app',
      },
    },
  });
});

it('has the registered type of a session that was ended before its time, and our own if it expired', async () => {
  const event = { id: 'e', type: 'session.ended', occurred_at: OCCURRED, ...SESSION };
  const ended = (reason: string) => tokenOf({ type: 'session.ended', reason, members: SESSION });
  for (const reason of ['logout', 'operator', 'deleted']) {
    const { claims } = await ended(reason);
    expect(claims['events']).toEqual({ [SESSION_REVOKED]: { ...event, reason, event_timestamp: OCCURRED } });
  }
  expect((await ended('expired')).claims['events']).toEqual({
    [`${ISSUER}/direct-authz/changes#session.ended`]: { ...event, reason: 'expired' },
  });
});

it('gives a reset another identifier than the change after which a reader continues', async () => {
  const { claims } = await tokenOf({ type: 'reset', reason: 'unknown_position', members: {} });
  expect(claims['jti']).toBe('reset-e');
});

it.each<[string, string, JsonObject, JsonObject | undefined]>([
  ['a session', 'session.ended', SESSION, { format: 'complex', user: USER, session: OPAQUE }],
  ['the tokens of a session', 'tokens.revoked', { covers: 'session', sid: 's' }, OPAQUE],
  ['the tokens of an end-user', 'tokens.revoked', { covers: 'subject', sub: 'alice' }, USER],
  ['a session at one client', 'session.client_ended', SESSION, undefined],
  ['one token', 'tokens.revoked', { covers: 'token', client_id: 'app', sub: 'alice', sid: 's' }, undefined],
  ['a client', 'client.ended', { client_id: 'app' }, undefined],
])(
  'names the subject of %s, or none where the event is about less',
  async (_name, type, members, subject) => {
    const { claims } = await tokenOf({ type, reason: 'revoked', members });
    expect(claims['sub_id']).toEqual(subject);
  },
);
