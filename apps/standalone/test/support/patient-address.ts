/** An address of Postgres with a connection timeout of a minute: on a busy machine one second may not be enough. */
export function patientAddress(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
