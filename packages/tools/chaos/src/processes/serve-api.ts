import { createServer, type RequestListener } from 'node:http';

/** Longer than the load pauses, so that no idle connection ends just when a request is sent on it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

/** Serves an API on a port until SIGTERM. */
export function serveApi(port: number, respond: RequestListener, close: () => void): void {
  const api = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, respond);
  api.listen(port, '127.0.0.1');
  process.once('SIGTERM', () => {
    close();
    api.close();
    api.closeAllConnections();
  });
}
