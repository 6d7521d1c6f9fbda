import { type Installation, openInstallation } from './installation.js';
import type { IssuedToken } from './issued-token.js';
import { issueIdentifierTokens, issueJwtTokens } from './issued-tokens.js';
import { type RegisteredClient, registerResourceServer } from './registered-client.js';
import { kept, type TestEnvironment } from './test-environment.js';

/** The fixture of workloads on introspection: an installation, and tokens that are issued on first use. */
export interface IntrospectionFixture {
  installation(): Promise<Installation>;
  resourceServer(): Promise<RegisteredClient>;
  identifierTokens(count: number): Promise<readonly IssuedToken[]>;
  /** Signed with ES256. */
  jwtTokens(count: number): Promise<readonly IssuedToken[]>;
}

/** Creates a fixture whose parts are opened on first use. */
export function introspectionFixture(testEnvironment: TestEnvironment): IntrospectionFixture {
  const installation = kept(() => openInstallation(testEnvironment, 'bench_introspection', 'fresh'));
  const resourceServer = kept(async () => registerResourceServer(await installation()));
  const identifierTokens = growing(async (count) => {
    testEnvironment.log(`Issuing ${count} identifier-based tokens.`);
    return issueIdentifierTokens(await installation(), (await resourceServer()).client_id, count);
  });
  const jwtTokens = growing(async (count) => {
    testEnvironment.log(`Signing ${count} JWT access tokens.`);
    const { client_id } = await resourceServer();
    return issueJwtTokens(await installation(), client_id, { algorithm: 'ES256', count });
  });
  return { installation, resourceServer, identifierTokens, jwtTokens };
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
