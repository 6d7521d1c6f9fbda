import type { JsonObject } from '@vestibule/protocol/json';

/** Plain SQL on the database of the services. */
interface Statements {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** Stores a client without registration: with any metadata, and without scopes and credentials. */
export async function storeClient(pool: Statements, clientId: string, metadata: JsonObject): Promise<void> {
  await pool.query(
    `INSERT INTO client (id, metadata, rights, issued_at, updated_at) VALUES ($1, $2, '', now(), now())`,
    [clientId, metadata],
  );
}
