import type { Narrator } from '../print/narrator.js';
import { ensure } from '../tour-error.js';
import type { ResourceServer } from './introspect.js';
import type { RegisteredClient } from './register.js';

/** A token that is expected to be active. */
export interface Alive {
  readonly client: Pick<RegisteredClient, 'name' | 'id'>;
  readonly token: string;
  /** Its only resource server; absent for any. */
  readonly audience?: string;
}

/** Checks that a token is active at every instance, with the right user, scope and audience. @throws TourError */
export async function seeAlive(
  narrator: Narrator,
  server: ResourceServer,
  { client, token, audience }: Alive,
): Promise<void> {
  const { active, username, client_id, scope, aud } = await server.introspect(token);
  ensure(active === true, `The access token of ${client.name} is not active.`);
  ensure(username === 'alice' && client_id === client.id, `The token of ${client.name} is of someone else.`);
  ensure(String(scope).split(' ').includes('reports:read'), `The token of ${client.name} has another scope.`);
  const expected = audience === undefined ? undefined : JSON.stringify([audience]);
  ensure(JSON.stringify(aud) === expected, `The token of ${client.name} is for another audience.`);
  const whom = audience === undefined ? '' : ', and for this resource server alone';
  narrator.proved(`The access token of ${client.name} is alive: of alice, for ${String(scope)}${whom}.`);
}
