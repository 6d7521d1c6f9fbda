/** An address of Postgres whose connections may take a minute to make: on a busy machine one second is soon over. */
export function patientAddress(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}
