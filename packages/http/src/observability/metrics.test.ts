import perf_hooks from 'node:perf_hooks';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { route } from '../routes/route.js';
import { sampleServer } from '../testing/index.js';
import { createMetrics } from './metrics.js';

describe('metrics', () => {
  const { server, metrics } = sampleServer({
    '/things/:id': { GET: route({ handler: (_request, reply) => reply.send({}) }) },
  });
  afterAll(() => server.close());

  it('count responses by route group, operation and status, never by values from requests', async () => {
    for (let index = 0; index < 20; index += 1) {
      await server.inject({ method: 'GET', url: `/things/chosen-${index}?chosen=${index}` });
      await server.inject({ method: 'GET', url: `/chosen-${index}` });
    }
    await server.inject({ method: 'PUT', url: '/things/chosen' });
    await server.inject({ method: 'PATCH', url: '/things/chosen' });
    await server.inject({
      method: 'POST',
      url: '/json',
      payload: '{',
      headers: { 'content-type': 'chosen/x' },
    });
    const text = await metrics.registry.metrics();
    const counted = text.split('\n').filter((line) => line.startsWith('http_requests_total{'));
    expect(counted.sort()).toEqual([
      'http_requests_total{route_group="json",operation="GET /things/:id",status="200",service="sample"} 20',
      'http_requests_total{route_group="json",operation="POST /json",status="400",service="sample"} 1',
      'http_requests_total{route_group="json",operation="other /things/:id",status="405",service="sample"} 2',
      'http_requests_total{route_group="none",operation="any unknown",status="404",service="sample"} 20',
    ]);
    expect(text).not.toContain('chosen');
  });

  it('expose response durations as a consistent histogram', async () => {
    const text = await metrics.registry.metrics();
    expect(text).toContain('# TYPE http_request_duration_seconds histogram');
    const labels = 'route_group="json",operation="GET /things/:id"';
    const buckets = [...text.matchAll(/http_request_duration_seconds_bucket\{([^}]*)\} (\d+)/g)]
      .filter(([, found]) => found?.startsWith(labels))
      .map(([, , count]) => Number(count));
    expect(buckets).toHaveLength(14);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(20);
    expect(text).toContain(`http_request_duration_seconds_count{${labels},service="sample"} 20`);
  });

  it('contain the process metrics of Node', async () => {
    expect(await metrics.registry.metrics()).toContain('process_cpu_user_seconds_total');
  });

  it('observe the process once, for the registries of all services', async () => {
    const one = createMetrics('one').registry;
    const monitors = vi.spyOn(perf_hooks, 'monitorEventLoopDelay');
    onTestFinished(() => monitors.mockRestore());
    const other = createMetrics('other').registry;
    expect(monitors).not.toHaveBeenCalled();
    for (const [registry, service] of [
      [one, 'one'],
      [other, 'other'],
    ] as const) {
      expect(await registry.metrics()).toMatch(
        new RegExp(`nodejs_eventloop_lag_p99_seconds{service="${service}"} `),
      );
      expect(await registry.metrics()).toContain(`nodejs_version_info{version="${process.version}"`);
    }
  });
});
