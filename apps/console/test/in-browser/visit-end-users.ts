import { HOSTILE_NAME } from '../support/hostile-rows.js';
import type { Visits } from './visits.js';

const HOSTILE = encodeURIComponent(HOSTILE_NAME);

/** Visits every page of end-users, their sessions and notifications. */
export async function visitEndUsers({ open, press, send, confirm }: Visits): Promise<void> {
  await open('/end-users');
  await open(`/end-users?subject=${HOSTILE}`, 'Sessions of');
  await open('/end-users?subject=alice&older=none');
  await open('/end-users/deliveries');
  // The first notification waits for its delivery.
  await send('/end-users/deliveries/redeliver', { delivery: '1' });
  await open('/end-users/deliveries');
  await press('Deliver again: notification 2');
  await open('/end-users/deliveries?state=lost&client_id=%C3%A4&subject=alice&older=none');

  await open('/end-users/session');
  await open('/end-users/session?session=none');
  await open(`/end-users/session?session=${HOSTILE}`);
  await press('Revoke every token of the session');
  await confirm('Revoke every token of the session');
  await press('End the session');
  await confirm('End the session');
  await open(`/end-users/session?session=${HOSTILE}`, 'The session has ended.');
  await send('/end-users/session/end', { session: HOSTILE_NAME });

  await open(`/end-users/end-sessions?subject=${HOSTILE}`, 'evil.example');
  await confirm('End all sessions');
  await open('/end-users/end-sessions?subject=alice');
  await open('/end-users/revoke?subject=carol');
  await confirm('Revoke everything');
}
