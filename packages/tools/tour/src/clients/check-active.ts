import type { Reporter } from '../print/reporter.js';
import { ensure } from '../tour-error.js';
import type { ResourceServer } from './introspect.js';
import type { RegisteredClient } from './register.js';

/** A token that is expected to be active. */
export interface ExpectedToken {
  readonly client: Pick<RegisteredClient, 'name' | 'id'>;
  readonly token: string;
  /** Its only resource server; absent when every resource server may introspect it. */
  readonly audience?: string;
}

/** Checks that a token is active at every instance, with the right user, scope and audience. @throws TourError */
export async function checkActive(
  reporter: Reporter,
  server: ResourceServer,
  { client, token, audience }: ExpectedToken,
): Promise<void> {
  const { active, username, client_id, scope, aud } = await server.introspect(token);
  ensure(active === true, `The access token of ${client.name} is not active.`);
  ensure(
    username === 'alice' && client_id === client.id,
    `The access token of ${client.name} has another user or client.`,
  );
  ensure(
    String(scope).split(' ').includes('reports:read'),
    `The access token of ${client.name} has another scope.`,
  );
  const expected = audience === undefined ? undefined : JSON.stringify([audience]);
  ensure(JSON.stringify(aud) === expected, `The access token of ${client.name} has another audience.`);
  const restriction = audience === undefined ? '' : ', for this resource server only';
  reporter.passed(
    `The access token of ${client.name} is active: user alice, scope ${String(scope)}${restriction}.`,
  );
}
