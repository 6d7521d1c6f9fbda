// Measures verify for remembered tokens: node --expose-gc scripts/measure-verify.mjs [tokens]
// One process, which is also the authorization server: it introspects only while tokens are remembered, before measuring.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createResourceServer } from '../dist/index.js';

const print = (line) => process.stdout.write(`${line}\n`);
const TOKENS = Number(process.argv[2] ?? 100_000);
const CALLS = 2_000_000;
const SAMPLES = 200_000;
const tag = () => randomBytes(16).toString('base64url');
const shared = [tag(), tag()];

const authorizationServer = createServer((request, response) => {
  if (request.url === '/token/changes') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const send = (name) => response.write(`event: ${name}\nid: epoch.10\ndata: {}\n\n`);
    send('reset');
    // Ends with the connection.
    const timer = setInterval(send, 100, 'heartbeat');
    response.once('close', () => clearInterval(timer));
    return;
  }
  request.resume().once('end', () => {
    const now = Math.floor(Date.now() / 1000);
    const headers = {
      'Content-Type': 'application/json',
      'Preference-Applied': 'cache-tags',
      'Stream-Position': 'epoch.10',
      'Cache-Tags': [tag(), tag(), tag(), ...shared].join(', '),
    };
    const members = {
      active: true,
      scope: 'orders:read orders:write',
      client_id: 'app4T8yLx2q4uPexR2mC5s',
      username: `user-${tag()}`,
      token_type: 'Bearer',
      exp: now + 3_600,
      iat: now,
      sub: tag(),
      aud: ['https://orders.example'],
      iss: 'https://op.example',
      jti: tag(),
    };
    response.writeHead(200, headers).end(JSON.stringify(members));
  });
});
await new Promise((resolve) => authorizationServer.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${authorizationServer.address().port}`;
const server = createResourceServer({
  issuer: base,
  introspectionEndpoint: `${base}/token/introspect`,
  credentials: { method: 'client_secret_basic', clientId: 'rs1', clientSecret: 'secret' },
  resource: { identifier: 'https://orders.example' },
  changes: {},
  memory: { maxEntries: TOKENS, maxBytes: 1e9 },
});

const requests = Array.from({ length: TOKENS }, () => {
  const authorization = `Bearer ${randomBytes(32).toString('base64url')}`;
  const header = (name) => (name === 'authorization' ? authorization : undefined);
  return { method: 'GET', url: '/orders/7', header };
});
const needed = { scope: 'orders:read' };
const heapBytes = () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

await new Promise((resolve) => setTimeout(resolve, 500));
let next = 0;
const fill = async (count) => {
  while (next < count) await server.verify(requests[next++], needed);
};
const fillUpTo = (count) => Promise.all(Array.from({ length: 32 }, () => fill(count)));
// The first ones bring along code and connections, which do not grow.
const first = TOKENS / 20;
await fillUpTo(first);
const before = heapBytes();
await fillUpTo(TOKENS);
const megabytes = ((heapBytes() - before) / 1e6) * (TOKENS / (TOKENS - first));

const measure = async (name, tokens) => {
  let accepted = 0;
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const run = async (calls) => {
    const startedAt = process.cpuUsage();
    for (let index = 0; index < calls; index += 1) {
      const { outcome } = await server.verify(requests[(index * 7919) % tokens], needed);
      if (outcome === 'accepted') accepted += 1;
      // Lets heartbeats in, as other work of an API would.
      if (index % 10_000 === 0) await turn();
    }
    const { user, system } = process.cpuUsage(startedAt);
    return calls / ((user + system) / 1e6);
  };
  await run(200_000);
  const perSecond = await run(CALLS);
  const nanoseconds = new Float64Array(SAMPLES);
  for (let index = 0; index < SAMPLES; index += 1) {
    if (index % 1_000 === 0) await turn();
    const startedAt = process.hrtime.bigint();
    await server.verify(requests[(index * 7919) % tokens], needed);
    nanoseconds[index] = Number(process.hrtime.bigint() - startedAt);
  }
  nanoseconds.sort();
  const at = (part) => (nanoseconds[Math.floor(SAMPLES * part)] / 1000).toFixed(2);
  print(
    `${name}: ${Math.round(perSecond)} a second of processor time, p50 ${at(0.5)} µs, p99 ${at(0.99)} µs, ${accepted} accepted`,
  );
};
print(`${TOKENS} remembered tokens: ${megabytes.toFixed(1)} MB`);
await measure('one token', 1);
await measure(`${TOKENS} tokens`, TOKENS);
server.close();
authorizationServer.close();
authorizationServer.closeAllConnections();
