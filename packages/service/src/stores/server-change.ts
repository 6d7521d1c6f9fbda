import type { ServerChange } from '@vestibule/database';
import type { Logger } from '@vestibule/http/observability';

/** Logs a warning about a change of the server behind `DATABASE_URL`. */
export function reportServerChange(change: ServerChange, logger: Logger): void {
  const { message, ...members } = serverNotice(change);
  logger.warn({ dependency: 'store', ...members }, message);
}

function serverNotice(change: ServerChange) {
  switch (change.kind) {
    case 'promoted':
      return {
        detail: change.history,
        message: 'DATABASE_URL leads to another Postgres server or timeline: all cached data is discarded',
      };
    case 'asynchronous_standbys':
      return {
        detail: `${change.count} asynchronous`,
        message: 'Postgres has asynchronous standbys: promoting one loses acknowledged revocations',
      };
    case 'commits_not_durable':
      return {
        detail: `synchronous_commit = ${change.synchronousCommit}`,
        message: 'commits are acknowledged before they are durable: a pooler drops synchronous_commit = on',
      };
    case 'hidden':
      return {
        error: change.error,
        message: 'promotions and standbys of Postgres cannot be monitored: the role lacks the privilege',
      };
  }
}
