import { type Installation, openInstallation } from './installation.js';
import type { IssuedToken } from './issued-token.js';
import { issueIdentifierTokens, issueJwtTokens, revokeToken } from './issued-tokens.js';
import { type RegisteredClient, registerResourceServer } from './registered-client.js';
import { kept, type TestEnvironment } from './test-environment.js';

/** A format of access tokens. */
export type TokenFormat = 'identifier' | 'jwt';

/** The fixture of workloads on introspection: an installation, and tokens that are issued on first use. */
export interface IntrospectionFixture {
  installation(): Promise<Installation>;
  resourceServer(): Promise<RegisteredClient>;
  identifierTokens(count: number): Promise<readonly IssuedToken[]>;
  /** Signed with ES256. */
  jwtTokens(count: number): Promise<readonly IssuedToken[]>;
  /** A token that was revoked before it expires. */
  revokedToken(format: TokenFormat): Promise<IssuedToken>;
}

/** Creates a fixture whose parts are opened on first use. */
export function introspectionFixture(testEnvironment: TestEnvironment): IntrospectionFixture {
  const installation = kept(() => openInstallation(testEnvironment, 'bench_introspection', 'fresh'));
  const resourceServer = kept(async () => registerResourceServer(await installation()));
  const issue = {
    identifier: async (count: number) =>
      issueIdentifierTokens(await installation(), (await resourceServer()).client_id, count),
    jwt: async (count: number) =>
      issueJwtTokens(await installation(), (await resourceServer()).client_id, { algorithm: 'ES256', count }),
  };
  const identifierTokens = growing(async (count) => {
    testEnvironment.log(`Issuing ${count} identifier-based tokens.`);
    return issue.identifier(count);
  });
  const jwtTokens = growing(async (count) => {
    testEnvironment.log(`Signing ${count} JWT access tokens.`);
    return issue.jwt(count);
  });
  const revokedToken = async (format: TokenFormat) => {
    const [token] = await issue[format](1);
    if (token === undefined) throw new RangeError('no token was issued');
    await revokeToken(await installation(), (await resourceServer()).client_id, token);
    return token;
  };
  return { installation, resourceServer, identifierTokens, jwtTokens, revokedToken };
}

/** The first elements of a series that grows on demand. */
function growing<Element>(
  make: (count: number) => Promise<readonly Element[]>,
): (count: number) => Promise<readonly Element[]> {
  let made: readonly Element[] = [];
  return async (count) => {
    if (made.length < count) made = [...made, ...(await make(count - made.length))];
    return made.slice(0, count);
  };
}
