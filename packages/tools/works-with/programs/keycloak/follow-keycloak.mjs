// Tells Vestibule within a second which sessions have ended at Keycloak, so that their access tokens are inactive.
import { setTimeout } from 'node:timers/promises';
import { keycloak, vestibule } from './requests.mjs';

const LOGOUTS = ['LOGOUT', 'USER_SESSION_DELETED', 'REVOKE_GRANT'].map((type) => `type=${type}`).join('&');
const begin = Date.now();
const done = new Set();

for (;;) {
  for (const { id, time, sessionId } of await keycloak('GET', `/events?${LOGOUTS}&max=100`))
    if (sessionId !== undefined) await once(id, time, { sid: sessionId });
  for (const { id, time, operationType, resourcePath } of await keycloak('GET', '/admin-events?max=100')) {
    const [, kind, name, action] = /^(users|sessions)\/([^/]+)(?:\/(logout))?$/.exec(resourcePath) ?? [];
    if (kind === 'users' && (action === 'logout' || operationType === 'DELETE'))
      await once(id, time, { sub: name });
    if (kind === 'sessions' && operationType === 'DELETE') await once(id, time, { sid: name });
  }
  await setTimeout(1000);
}

async function once(id, time, revocation) {
  if (time < begin || done.has(id)) return;
  await vestibule('POST', '/direct-authz/revoke', revocation);
  done.add(id);
}
