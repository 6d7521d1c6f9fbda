import { type OpenNotices, openNotices } from '../stream/notices.js';
import { LOGOUT_CHANNEL } from './delivery-outbox.js';

/** Options of listening for pending deliveries. */
export interface LogoutNoticesOptions {
  /** Called when there may be deliveries: after each commit that adds to the outbox, and on every start. */
  readonly onWaiting: () => void;
  /** Called with the reason when listening fails, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** Listens for new deliveries in the outbox, and reconnects until it is closed. */
export function openLogoutNotices(
  connection: { readonly url: string; readonly applicationName: string },
  { onWaiting, onProblem }: LogoutNoticesOptions,
): OpenNotices {
  return openNotices({ ...connection, channel: LOGOUT_CHANNEL, onNotice: onWaiting, onProblem });
}
