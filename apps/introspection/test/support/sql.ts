/** Cuts every connection of the product to the database. */
export const TERMINATE_ALL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name <> 'foreign'`;

/** Cuts the connections that listen. */
export const TERMINATE_STREAMS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND application_name LIKE '% feed'`;
