import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { epochSeconds } from '@vestibule/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { FiguresUnavailableError } from '../../src/figures/figures.js';
import { OUR_ALERTS } from '../../src/figures/our-alerts.js';
import { prometheusFigures } from '../../src/figures/prometheus-figures.js';

const WINDOW = { startsAt: epochSeconds(1_780_000_080), stepSeconds: 120, steps: 3 };

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Figures from a server that responds as the test wants, below a path. */
async function aPrometheus(respond: Respond) {
  const requests: URL[] = [];
  const server = createServer((request, response) => {
    requests.push(new URL(request.url ?? '/', 'http://prometheus.example'));
    respond(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const figures = prometheusFigures({ url: new URL(`http://127.0.0.1:${port}/prometheus/`) });
  return { figures, requests };
}

const json =
  (value: unknown): Respond =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const matrix = (...result: readonly unknown[]) => ({
  status: 'success',
  data: { resultType: 'matrix', result },
});

it('reads introspections by outcome, one count for each step', async () => {
  const { figures, requests } = await aPrometheus(
    json(
      matrix(
        {
          metric: { outcome: 'active' },
          values: [
            [1_780_000_200, '12.4'],
            [1_780_000_440, '3'],
          ],
        },
        { metric: { outcome: 'expired' }, values: [[1_780_000_320, '1']] },
      ),
    ),
  );
  expect(await figures.introspections(WINDOW)).toEqual(
    new Map([
      ['active', [12, 0, 3]],
      ['expired', [0, 1, 0]],
    ]),
  );
  expect(requests[0]?.pathname).toBe('/prometheus/api/v1/query_range');
  expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toEqual({
    query: 'sum by (outcome) (increase(introspection_outcomes_total[120s]))',
    start: '1780000200',
    end: '1780000440',
    step: '120',
  });
});

it('shows the alerts of ours that fire, critical ones first', async () => {
  const alert = (alertname: string, severity: string, state = 'firing') => ({
    state,
    labels: { alertname, severity },
    annotations: { summary: `${alertname} ${'x'.repeat(600)}` },
  });
  const { figures, requests } = await aPrometheus(
    json({
      status: 'success',
      data: {
        alerts: [
          alert('DependencyDown', 'warning'),
          alert('HighErrorRate', 'critical'),
          alert('ServiceNotReady', 'critical', 'pending'),
          alert('DiskFull', 'critical'),
          { state: 'firing' },
          null,
          'text',
        ],
      },
    }),
  );
  const alerts = (await figures.alerts()) ?? [];
  expect(alerts.map(({ name, severity }) => [name, severity])).toEqual([
    ['HighErrorRate', 'critical'],
    ['DependencyDown', 'warning'],
  ]);
  expect(alerts[0]?.summary).toHaveLength(500);
  expect(requests[0]?.pathname).toBe('/prometheus/api/v1/alerts');
});

it('knows every alert of the rules in the repository', async () => {
  const rules = await readFile(new URL('../../../../docker/prometheus/alerts.yml', import.meta.url), 'utf8');
  const names = [...rules.matchAll(/^ *- alert: (\w+)$/gm)].map(([, name]) => name);
  expect([...OUR_ALERTS]).toEqual(names);
});

it('refuses every response that is not as expected, and says nothing of its content', async () => {
  const series = (values: unknown, outcome: unknown = 'active') => matrix({ metric: { outcome }, values });
  const responses: readonly Respond[] = [
    json(null),
    json({ status: 'error', error: 'secret' }),
    json({ status: 'success', data: { result: 'secret' } }),
    json(matrix('secret')),
    json(series('secret')),
    json(series([['secret']])),
    json(series([[1_780_000_200, '-1']])),
    json(series([[1_780_000_200, 'NaN']])),
    json(series([[1_780_000_200, '1e300']])),
    json(series([[9_999_999_999_999, '1']])),
    json(series([], '<b>secret')),
    json(matrix(...Array.from({ length: 31 }, () => ({ metric: { outcome: 'a' }, values: [] })))),
    (_request, response) => response.writeHead(500).end('secret'),
    (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1/secret' }).end(),
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('secret'),
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{secret'),
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'secret'.repeat(300_000)}"`),
  ];
  for (const [index, respond] of responses.entries()) {
    const { figures } = await aPrometheus(respond);
    const error: unknown = await figures.introspections(WINDOW).then(
      () => undefined,
      (problem: unknown) => problem,
    );
    expect(error, `response ${index}`).toBeInstanceOf(FiguresUnavailableError);
    expect(String(error)).not.toContain('secret');
  }
});

it('gives up after two seconds', async () => {
  const { figures } = await aPrometheus(() => undefined);
  const startedMs = performance.now();
  await expect(figures.introspections(WINDOW)).rejects.toThrow('timeout');
  expect(performance.now() - startedMs).toBeGreaterThan(1_500);
});
