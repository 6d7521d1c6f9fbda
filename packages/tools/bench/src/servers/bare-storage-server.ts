import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import pg from 'pg';
import { Type } from 'typebox';
import { serveParent } from './serve-parent.js';

const Configuration = Type.Object({
  databaseUrl: Type.String(),
  poolSize: Type.Integer(),
  /** A registered client: every insertion copies its values under another identifier. */
  clientId: Type.String(),
  contentType: Type.String(),
  body: Type.String(),
});

const ID_BYTES = 11;
/** Enough that two requests hardly ever update the same one. */
const UPDATED_CLIENTS = 1_000;

// The baseline of registration: the indispensable prepared statements and a constant response.
await serveParent(Configuration, async ({ databaseUrl, poolSize, clientId, contentType, body }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const { rows, fields } = await pool.query('SELECT * FROM client WHERE id = $1', [clientId]);
  const names = fields.map(({ name }) => pg.escapeIdentifier(name));
  const values: unknown[] = fields.map(({ name }) => rows[0][name]);
  const idIndex = fields.findIndex(({ name }) => name === 'id');
  const insert = {
    name: 'insert',
    text: `INSERT INTO client (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
  };
  const read = { name: 'read', text: 'SELECT * FROM client WHERE id = $1' };
  const update = {
    name: 'update',
    text: 'UPDATE client SET metadata = $2, version = version + 1, updated_at = now() WHERE id = $1',
  };
  const insertCopy = async () => {
    const id = randomBytes(ID_BYTES).toString('hex');
    await pool.query({ ...insert, values: values.with(idIndex, id) });
    return id;
  };
  const app = fastify();
  app.post('/clients', async (_request, reply) => {
    await insertCopy();
    return reply.header('content-type', contentType).send(body);
  });
  let updated: Promise<readonly string[]> | undefined;
  // The service has to read the client before it may change it.
  app.put('/clients/:id', async (_request, reply) => {
    updated ??= Promise.all(Array.from({ length: UPDATED_CLIENTS }, insertCopy));
    const id = (await updated)[Math.floor(Math.random() * UPDATED_CLIENTS)];
    const found = await pool.query({ ...read, values: [id] });
    await pool.query({ ...update, values: [id, found.rows[0].metadata] });
    return reply.header('content-type', contentType).send(body);
  });
  app.get<{ Params: { id: string } }>('/clients/:id', async (request, reply) => {
    const found = await pool.query({ ...read, values: [request.params.id] });
    if (found.rowCount !== 1) return reply.code(404).send();
    return reply.header('content-type', contentType).send(body);
  });
  return {
    listen: async () => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port),
  };
});
