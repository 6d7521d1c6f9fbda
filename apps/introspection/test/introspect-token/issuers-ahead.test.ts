import { type ClientId, type EpochSeconds, nowSeconds } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { call } from '../support/introspection-call.js';
import { aTestService, CLIENT, ISSUER, type TestService } from '../support/test-service.js';

type Revocations = TestService['database']['revocations'];

/** How far the clock of an issuer may be ahead, in seconds. */
const SKEW = 30;

const CUTOFFS: readonly [string, (revocations: Revocations, now: EpochSeconds) => Promise<void>][] = [
  ['client', (revocations, now) => revocations.revokeClient(CLIENT, now)],
  ['subject', (revocations, now) => revocations.revokeSubject('alice', now)],
  ['session', (revocations, now) => revocations.revokeSession('s1', now)],
  ['issuer', (revocations, now) => revocations.revokeIssuer(ISSUER, now)],
];

const isActive = async ({ app }: TestService, token: string) =>
  (await call(app, { token })).body.startsWith('{"active":true,');

/** Signs a token of an issuer with our keys and another clock. */
function ofOtherClock({ clock, signed }: TestService, secondsAhead: number): Promise<string> {
  const iat = nowSeconds(clock) + secondsAhead;
  const times = { iat, exp: iat + 600 };
  return signed('at+jwt', { iss: ISSUER, sub: 'alice', sid: 's1', client_id: CLIENT, jti: 'j', ...times });
}

it.each(CUTOFFS)(
  'revokes by a cut-off by %s tokens of an issuer whose clock is ahead',
  async (_kind, cutOff) => {
    const service = await aTestService();
    for (const secondsAhead of [1, SKEW]) {
      const token = await ofOtherClock(service, secondsAhead);
      expect(await isActive(service, token)).toBe(true);
      await cutOff(service.database.revocations, nowSeconds(service.clock));
      for (const seconds of [0, 1, SKEW, SKEW]) {
        service.clock.advanceSeconds(seconds);
        expect(await isActive(service, token)).toBe(false);
      }
      service.clock.advanceSeconds(SKEW);
    }
  },
);

it.each(CUTOFFS)(
  'does not revoke by a cut-off by %s tokens of the next second by the clock of the store',
  async (_kind, cutOff) => {
    const service = await aTestService();
    const grant = { sessionId: 's1', clientId: CLIENT as ClientId };
    const before = await service.jwt(grant);
    await cutOff(service.database.revocations, nowSeconds(service.clock));
    service.clock.advanceSeconds(1);
    expect(await isActive(service, await service.jwt(grant))).toBe(true);
    expect(await isActive(service, before)).toBe(false);
  },
);

it('refuses a token that is dated further ahead than clocks may be', async () => {
  const service = await aTestService();
  expect(await isActive(service, await ofOtherClock(service, SKEW + 1))).toBe(false);
});
