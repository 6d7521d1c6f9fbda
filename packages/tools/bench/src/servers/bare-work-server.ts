import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import formbody from '@fastify/formbody';
import { fastify } from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type Static, Type } from 'typebox';
import { ConstantResponse } from './constant-response.js';
import { serveParent } from './serve-parent.js';

const Algorithm = Type.Union([Type.Literal('ES256'), Type.Literal('RS256')]);

/** The indispensable work of a kind of response, done for every request. */
const Work = Type.Union([
  /** One GET of a value of this size. */
  Type.Object({ kind: Type.Literal('redis-get'), url: Type.String(), bytes: Type.Integer() }),
  /** One lookup of a row by its key: the first row of the table. */
  Type.Object({ kind: Type.Literal('row-by-digest'), databaseUrl: Type.String(), poolSize: Type.Integer() }),
  /** One signature over the response. */
  Type.Object({ kind: Type.Literal('sign'), algorithm: Algorithm }),
  /** The verification of one signature over a text as long as the response. */
  Type.Object({ kind: Type.Literal('verify'), algorithm: Algorithm }),
]);

const Configuration = Type.Intersect([ConstantResponse, Type.Object({ work: Work })]);

/** Longer than any load run. */
const KEPT_SECONDS = 3_600;

type Algorithm = Static<typeof Algorithm>;
type Work = Static<typeof Work>;

// The baseline of a kind of response: its indispensable work and a constant response.
await serveParent(Configuration, async ({ contentType, body, work }) => {
  const doWork = await worker(work, body);
  const app = fastify();
  await app.register(formbody);
  app.post('/*', async (_request, reply) => {
    await doWork();
    return reply.header('content-type', contentType).send(body);
  });
  return {
    listen: async () => Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port),
  };
});

async function worker(work: Work, body: string): Promise<() => unknown> {
  switch (work.kind) {
    case 'redis-get':
      return redisGet(work.url, work.bytes);
    case 'row-by-digest':
      return rowByDigest(new pg.Pool({ connectionString: work.databaseUrl, max: work.poolSize }));
    case 'sign':
      return signing(work.algorithm, body).sign;
    case 'verify':
      return signing(work.algorithm, body).verify;
  }
}

async function redisGet(url: string, bytes: number): Promise<() => Promise<unknown>> {
  const redis = new Redis(url, { enableAutoPipelining: true });
  const key = randomBytes(32);
  await redis.set(key, randomBytes(bytes), 'EX', KEPT_SECONDS);
  return () => redis.getBuffer(key);
}

async function rowByDigest(pool: pg.Pool): Promise<() => Promise<unknown>> {
  const { rows } = await pool.query<{ digest: Buffer }>('SELECT digest FROM access_token LIMIT 1');
  if (rows[0] === undefined) throw new RangeError('the table has no token');
  const { digest } = rows[0];
  const read = { name: 'read', text: 'SELECT * FROM access_token WHERE digest = $1' };
  return () => pool.query({ ...read, values: [digest] });
}

function signing(algorithm: Algorithm, body: string) {
  const { privateKey, publicKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = Buffer.from(body);
  const format = { dsaEncoding: 'ieee-p1363' } as const;
  const makeSignature = () => sign('sha256', text, { key: privateKey, ...format });
  const signature = makeSignature();
  return {
    sign: makeSignature,
    verify: () => verify('sha256', text, { key: publicKey, ...format }, signature),
  };
}
