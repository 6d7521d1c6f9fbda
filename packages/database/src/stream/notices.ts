import { type ListeningConnection, listenTo } from './listening-connection.js';

/** Options of {@link openNotices}. */
export interface NoticesOptions {
  /** The connection string of the database: a secret. */
  readonly url: string;
  readonly applicationName: string;
  readonly channel: string;
  /** Called for each notice, and each time that it listens. */
  readonly onNotice: () => void;
  /** Called with the reason when listening fails, for the log. */
  readonly onProblem: (error: unknown) => void;
}

/** A connection that listens until it is closed. */
export interface OpenNotices {
  close(): void;
}

const RECONNECT_MS = 250;

/** Listens on a channel of the database, and reconnects until it is closed. */
export function openNotices(options: NoticesOptions): OpenNotices {
  const { url, applicationName, channel, onNotice, onProblem } = options;
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
    // For what was committed before it listened.
    onNotice();
  };
  const connect = () => {
    listenTo({
      url,
      applicationName,
      channels: [channel],
      onNotification: onNotice,
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
