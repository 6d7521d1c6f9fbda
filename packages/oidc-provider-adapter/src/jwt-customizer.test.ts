import { openTestDataKeys } from '@vestibule/crypto/testing';
import { openDatabase } from '@vestibule/database';
import { type Issuer, nowSeconds } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { createTestDatabase } from '@vestibule/testkit';
import { expect, it, onTestFinished } from 'vitest';
import { jwtCustomizer } from './index.js';

const ISSUER = 'https://as.example' as Issuer;
const LIFETIME = 600;

it('dates self-contained tokens by its own clock, whatever that of the machine says, and gives them the same life', async () => {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const { providerRecords: records, close } = openDatabase({ url });
  onTestFinished(close);
  const clock = frozenClock();
  const { digester } = await openTestDataKeys();
  const customize = jwtCustomizer({ issuer: ISSUER, records, digester, clock });
  const now = nowSeconds(clock);
  for (const ahead of [0, 30, -30]) {
    const iat = now + ahead;
    const jwt = { payload: { jti: 'j', iat, exp: iat + LIFETIME } };
    await customize(undefined, { clientId: 'client', scope: 'read', aud: 'https://rs.example' }, jwt);
    expect(jwt.payload).toMatchObject({ jti: 'j', iat: now, exp: now + LIFETIME });
  }
});
