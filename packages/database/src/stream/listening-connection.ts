import pg from 'pg';
import { connectTimeoutMs } from '../connect-timeout.js';

/** Options of a listening connection. */
export interface ListeningOptions {
  /** The connection string of the database: a secret. */
  readonly url: string;
  readonly applicationName: string;
  readonly channels: readonly string[];
  readonly onNotification: (channel: string, payload: string | undefined) => void;
  /** Called once when a connection that listened is lost. */
  readonly onEnd: (error: Error) => void;
}

/** A connection that listens. */
export interface ListeningConnection {
  /** Destroys the connection at once, without a message to a server that may not respond. */
  destroy(): void;
}

const RESPONSE_TIMEOUT_MS = 1_000;

/**
 * Connects and listens. When it resolves, it receives every notification of transactions that commit from now on.
 * Rejects after the connection timeout of the address, or when the server then does not respond within a second.
 */
export async function listenTo(options: ListeningOptions): Promise<ListeningConnection> {
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectTimeoutMs(options.url),
    query_timeout: RESPONSE_TIMEOUT_MS,
    keepAlive: true,
  });
  const destroy = () => {
    client.connection.stream.destroy();
  };
  let isListening = false;
  const end = (error: Error) => {
    if (isListening) options.onEnd(error);
    isListening = false;
  };
  client.on('error', end);
  client.on('end', () => end(new Error('the connection ended')));
  client.on('notification', ({ channel, payload }) => options.onNotification(channel, payload));
  try {
    await client.connect();
    await client.query(
      options.channels.map((channel) => `LISTEN ${client.escapeIdentifier(channel)}`).join(';'),
    );
  } catch (error) {
    destroy();
    throw error;
  }
  isListening = true;
  return {
    destroy: () => {
      isListening = false;
      destroy();
    },
  };
}
