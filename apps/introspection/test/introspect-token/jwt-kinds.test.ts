import { signJwt } from '@vestibule/crypto/jwt';
import { nowSeconds } from '@vestibule/protocol';
import type { JsonObject } from '@vestibule/protocol/json';
import { issueIdToken, issueInitialAccessToken } from '@vestibule/tokens/issuing';
import { expect, it } from 'vitest';
import { assertionForm, assertionOf, CLIENT_KEY, registerCaller } from '../support/callers.js';
import { call } from '../support/introspection-call.js';
import { ACCEPT } from '../support/signed-response.js';
import {
  aTestService,
  CLIENT,
  ENDPOINT,
  ISSUER,
  scopeOf,
  type TestService,
} from '../support/test-service.js';

const PLACES = ['token', 'bearer', 'assertion'] as const;
type Place = (typeof PLACES)[number];

/** Types of JWTs, of those that have one. */
const TYPES = {
  'ID token': 'JWT',
  'initial access token': 'iat+jwt',
  'logout token': 'logout+jwt',
  'introspection response': 'token-introspection+jwt',
  'client assertion': 'client-authentication+jwt',
  'software statement': 'software-statement+jwt',
  'entity statement': 'entity-statement+jwt',
  'trust mark': 'trust-mark+jwt',
  'registration statement': 'explicit-registration-response+jwt',
  'request object': 'oauth-authz-req+jwt',
  'authorization response': 'oauth-authz-resp+jwt',
  'proof of possession': 'dpop+jwt',
};

/** Claims of an access token that would be valid in the first two places. */
function accessClaims({ clock }: TestService): JsonObject {
  const iat = nowSeconds(clock);
  return { iss: ISSUER, sub: 'rs', client_id: 'rs', iat, exp: iat + 60, jti: 'j', scope: ENDPOINT };
}

/** Whether a JWT is accepted in a place. */
async function isTaken(service: TestService, place: Place, jwt: string): Promise<boolean> {
  const token = place === 'token' ? jwt : await service.identifier();
  const authorization = place === 'bearer' ? { authorization: `Bearer ${jwt}` } : {};
  const form = place === 'assertion' ? assertionForm(jwt) : {};
  const own = place === 'token' ? {} : { authorization: undefined };
  const { status, body } = await call(service.app, { token, ...form }, { ...own, ...authorization });
  if (place === 'token') expect([status, body].join(' ')).toMatch(/^200 \{"active":(?:false\}|true,)/);
  else expect([200, 401]).toContain(status);
  return status === 200 && body.startsWith('{"active":true');
}

/** JWTs with our signature that are wrong only in their kind, and real ones. */
async function ours(service: TestService): Promise<Record<string, string>> {
  const claims = accessClaims(service);
  const forged = await Promise.all(
    Object.entries(TYPES).map(async ([kind, typ]) => [
      `${kind}, all claims`,
      await service.signed(typ, claims),
    ]),
  );
  const grant = { clientId: CLIENT, subject: 'alice', lifetimeSeconds: 60, algorithm: 'ES256' } as const;
  const initial = await issueInitialAccessToken(
    { ...service.revocationDeps, ...service.issuing },
    { scope: scopeOf('client-reg'), lifetimeSeconds: 60, format: 'jwt' },
  );
  const response = async (accept: string, token: string) =>
    (await call(service.app, { token }, { headers: { accept } })).body;
  const live = await service.jwt({ scope: scopeOf(ENDPOINT) });
  return {
    ...Object.fromEntries(forged),
    'issued ID token': await issueIdToken(service.issuing, grant),
    'issued initial access token': initial.accessToken,
    response: await response(ACCEPT.jwt, live),
    'legacy response': await response(ACCEPT['legacy-jwt'], live),
  };
}

it.each([
  ['responses of their own type', {}],
  ['responses of the type that access tokens may have', { responseType: 'JWT' }],
])(
  'accepts only access tokens of all JWTs of ours, as the token and as the bearer credential (%s)',
  async (_what, settings) => {
    const service = await aTestService(settings);
    await registerCaller(service, 'rs', 'private_key_jwt');
    const access = {
      'issued access token': await service.jwt({ scope: scopeOf(ENDPOINT) }),
      'access token of the same claims': await service.signed('at+jwt', accessClaims(service)),
      'access token of the type JWT': await service.signed('JWT', {
        ...accessClaims(service),
        iat_clock: 'store',
      }),
    };
    for (const [kind, jwt] of Object.entries({ ...access, ...(await ours(service)) })) {
      for (const place of PLACES) {
        const isExpected = Object.hasOwn(access, kind) && place !== 'assertion';
        expect(await isTaken(service, place, jwt), `${kind} as ${place}`).toBe(isExpected);
      }
    }
  },
);

it('accepts only client assertions of all JWTs of a client, only as client_assertion, and signed by the client itself', async () => {
  const service = await aTestService();
  await registerCaller(service, 'rs', 'private_key_jwt');
  for (const typ of [...Object.values(TYPES), 'at+jwt', 'JWT']) {
    for (const key of [CLIENT_KEY, service.keys.keyRing.signingKey('ES256')]) {
      const isExpected = key === CLIENT_KEY && ['JWT', 'client-authentication+jwt'].includes(typ);
      for (const place of PLACES) {
        // It also has the claims of an access token.
        const more = { client_id: 'rs', scope: ENDPOINT, iat: nowSeconds(service.clock) };
        const jwt = await assertionOf(service, 'rs', more, { key, typ });
        const name = `${typ} as ${place}, ${key === CLIENT_KEY ? 'own' : 'other'} key`;
        expect(await isTaken(service, place, jwt), name).toBe(isExpected && place === 'assertion');
      }
    }
  }
});

it('refuses an access token that a client signed itself', async () => {
  const service = await aTestService();
  await registerCaller(service, 'rs', 'private_key_jwt');
  const jwt = await signJwt({ key: CLIENT_KEY, typ: 'at+jwt', claims: accessClaims(service) });
  for (const place of PLACES) expect(await isTaken(service, place, jwt), place).toBe(false);
});
