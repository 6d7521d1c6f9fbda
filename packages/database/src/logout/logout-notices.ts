import { type ListeningConnection, listenTo } from '../stream/listening-connection.js';
import { LOGOUT_CHANNEL } from './delivery-outbox.js';

/** Options of listening for pending deliveries. */
export interface LogoutNoticesOptions {
  /** Called when there may be deliveries: after each commit that adds to the outbox, and on every start. */
  readonly onWaiting: () => void;
  /** Called with the reason when listening fails, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** A connection that listens until it is closed. */
export interface OpenLogoutNotices {
  close(): void;
}

const RECONNECT_MS = 250;

/** Listens for new deliveries in the outbox, and reconnects until it is closed. */
export function openLogoutNotices(
  { url, applicationName }: { readonly url: string; readonly applicationName: string },
  { onWaiting, onProblem }: LogoutNoticesOptions,
): OpenLogoutNotices {
  let connection: ListeningConnection | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connectAgain = (error: unknown) => {
    connection = undefined;
    if (isClosed) return;
    onProblem(error);
    retry = setTimeout(connect, Math.random() * RECONNECT_MS);
  };
  const start = (listening: ListeningConnection) => {
    if (isClosed) return listening.destroy();
    connection = listening;
    // For deliveries that were committed before it listened.
    onWaiting();
  };
  const connect = () => {
    listenTo({
      url,
      applicationName,
      channels: [LOGOUT_CHANNEL],
      onNotification: onWaiting,
      onEnd: connectAgain,
    }).then(start, connectAgain);
  };
  connect();
  return {
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      connection?.destroy();
    },
  };
}
