import { closedLoad } from '../load/closed-load.js';
import { cycle } from '../load/load-result.js';
import { quotients } from '../measure/statistics.js';
import { INTROSPECTION_PATH, introspectionService } from '../targets/introspection-service.js';
import { type Installation, openInstallation } from '../test-environment/installation.js';
import { copyRow, issueIdentifierTokens } from '../test-environment/issued-tokens.js';
import { registerResourceServer } from '../test-environment/registered-client.js';
import type { TestEnvironment } from '../test-environment/test-environment.js';
import type { Figure, FigureWorkload, Target } from './workload.js';

const FEW_TOKENS = 10_000;
/** Each is introspected once in a round, so that every response comes from PostgreSQL. */
const INTROSPECTED_TOKENS = 8_000;
const CONNECTIONS = 4;
const ROWS_AT_ONCE = 100_000;

/** The cost of a thousand times more tokens for introspection. Filling the large table takes minutes, once. */
export function growthWorkload(
  testEnvironment: TestEnvironment,
): FigureWorkload & { readonly onlyByName: true } {
  const { storedTokens } = testEnvironment.effort;
  return {
    kind: 'figures',
    id: 'introspection-growth',
    title: `introspection with ${storedTokens.toLocaleString('en')} stored tokens against ${FEW_TOKENS.toLocaleString('en')}`,
    onlyByName: true,
    measure: async () => {
      const few = await serviceOver(testEnvironment, FEW_TOKENS);
      const many = await serviceOver(testEnvironment, storedTokens);
      const fewMs: number[] = [];
      const manyMs: number[] = [];
      for (let round = 0; round < testEnvironment.effort.rounds; round += 1) {
        fewMs.push(await medianLatency(few));
        manyMs.push(await medianLatency(many));
      }
      const figures: Figure[] = [
        { name: `p50 with ${FEW_TOKENS.toLocaleString('en')}`, values: fewMs, unit: 'ms' },
        { name: `p50 with ${storedTokens.toLocaleString('en')}`, values: manyMs, unit: 'ms' },
        { name: 'growth of p50', values: quotients(manyMs, fewMs), unit: '×', atMost: 1.2 },
      ];
      return figures;
    },
  };
}

async function serviceOver(testEnvironment: TestEnvironment, storedTokens: number): Promise<Target> {
  const installation = await openInstallation(testEnvironment, `bench_tokens_${storedTokens}`, 'kept');
  const { client_id: clientId, client_secret: clientSecret } = await registerResourceServer(installation);
  await fill(testEnvironment, installation, { clientId, storedTokens });
  const tokens = await issueIdentifierTokens(installation, clientId, INTROSPECTED_TOKENS);
  const caller = { path: INTROSPECTION_PATH, clientId, clientSecret };
  return introspectionService(testEnvironment, installation, { caller, tokens, tokenReads: 'first' });
}

/** Stores tokens up to the wanted number of live ones; tokens of an earlier run count. */
async function fill(
  { log }: TestEnvironment,
  installation: Installation,
  { clientId, storedTokens }: { readonly clientId: string; readonly storedTokens: number },
): Promise<void> {
  const { pool, store } = installation;
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM access_token WHERE expires_at > now()',
  );
  let missing = storedTokens - (rows[0]?.count ?? 0);
  if (missing <= 0) return;
  log(`Storing ${missing} tokens.`);
  const [template] = await issueIdentifierTokens(installation, clientId, 1);
  const digest = store.digester.digest('access-token', template?.token ?? '');
  const source = `(SELECT sha256(convert_to(random()::text || number, 'UTF8')), 'user-' || lpad(number::text, 8, '0')
    FROM generate_series(1, $2) AS number)`;
  for (; missing > 0; missing -= ROWS_AT_ONCE)
    await copyRow(installation, digest, { source, values: [Math.min(ROWS_AT_ONCE, missing)] });
  await pool.query('VACUUM ANALYZE access_token');
}

async function medianLatency(target: Target): Promise<number> {
  const { port, traffic, close } = await target.open();
  try {
    if (traffic.kind !== 'replay') throw new TypeError('tokens need a replay');
    const { warm = [], load } = traffic;
    await closedLoad({
      port,
      source: cycle(warm),
      connections: CONNECTIONS,
      until: { requests: warm.length },
    });
    const until = { requests: load.length };
    const { failures, p50Ms } = await closedLoad({
      port,
      source: cycle(load),
      connections: CONNECTIONS,
      until,
    });
    if (failures > 0) throw new Error(`${failures} requests failed`);
    return p50Ms;
  } finally {
    await close();
  }
}
