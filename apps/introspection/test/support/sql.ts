/** Terminates all connections of the services. */
export const TERMINATE_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'foreign'`;

/** Terminates the connections of the invalidation streams. */
export const TERMINATE_STREAMS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '% invalidations'`;
