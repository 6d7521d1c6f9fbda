import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { json, startProgrammedServer } from '../testing/authorization-server.js';
import { event, stamped, startChangeServer } from '../testing/change-server.js';
import {
  active,
  aRequest,
  aResourceServer,
  bearer,
  RESOURCE,
  TOKEN,
} from '../testing/resource-server-fixture.js';

const NOW = Date.UTC(2026, 5, 1, 12) / 1000;

describe('metrics', () => {
  it('count requests and introspections by outcome, from zero', async () => {
    const authorizationServer = await startProgrammedServer(json(active()));
    const { server } = aResourceServer(authorizationServer.url, { cache: { lifetimeSeconds: 5 } });
    const samples = (name: string) =>
      Object.fromEntries(
        (server.metrics.all.find((metric) => metric.name === name)?.read() ?? []).map(({ labels, value }) => [
          labels['outcome'] ?? '',
          value,
        ]),
      );
    expect(new Set(Object.values(samples('resource_server_requests_total')))).toEqual(new Set([0]));
    await server.verify(bearer());
    await server.verify(bearer(), { scope: 'orders:write' });
    await server.verify(aRequest({}));
    authorizationServer.respond = json({}, 401);
    await server.verify(bearer('another'));
    expect(samples('resource_server_requests_total')).toMatchObject({
      accepted: 1,
      scope: 1,
      no_token: 1,
      unavailable: 1,
    });
    expect(samples('resource_server_introspections_total')).toMatchObject({
      active: 1,
      inactive: 0,
      credentials_refused: 1,
    });
    expect(samples('resource_server_cache_hits_total')).toEqual({ '': 1 });
    expect(samples('resource_server_cache_tokens')).toEqual({ '': 1 });
    expect(samples('resource_server_cache_bytes')['']).toBeGreaterThan(450);
  });

  it('have the text format of Prometheus', async () => {
    const { server } = aResourceServer('http://127.0.0.1:1');
    await server.verify(aRequest({}));
    const text = server.metrics.prometheus();
    expect(text).toContain(
      '# HELP resource_server_requests_total Verified requests, by outcome.\n# TYPE resource_server_requests_total counter\nresource_server_requests_total{outcome="accepted"} 0\nresource_server_requests_total{outcome="no_token"} 1\n',
    );
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) resource_server_\w+ .+|resource_server_\w+(\{outcome="\w+"\})? (\d+(\.\d+)?|\+Inf))$/,
      );
  });

  it('tell about the stream of changes', async () => {
    const changes = await startChangeServer(json(active(), 200, stamped('e.10', 'a')));
    const { server, monotonic } = aResourceServer(changes.server.url, { changes: {} });
    const value = (name: string) =>
      server.metrics.all.find((metric) => metric.name === name)?.read()[0]?.value;
    expect(value('resource_server_changes_watermark_age_seconds')).toBe(Number.POSITIVE_INFINITY);
    expect(server.metrics.prometheus()).toContain('resource_server_changes_watermark_age_seconds +Inf\n');
    await changes.opened(1);
    changes.write(event('reset', 'e.10'));
    await expect.poll(() => value('resource_server_changes_watermark_age_seconds')).toBe(0);
    monotonic.nowMs += 700;
    expect(value('resource_server_changes_watermark_age_seconds')).toBe(0.7);
    expect(value('resource_server_changes_connected')).toBe(1);
    expect(value('resource_server_changes_connections_total')).toBe(1);
    expect(value('resource_server_changes_discards_total')).toBe(1);
  });

  it('are listed in the README', async () => {
    const changes = await startChangeServer(json(active()));
    const { server } = aResourceServer(changes.server.url, { changes: {} });
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    for (const { name, help } of server.metrics.all) expect(readme).toContain(`| \`${name}\` | ${help} |`);
  });
});

describe('explain', () => {
  it('tells every check of an accepted token', async () => {
    const authorizationServer = await startProgrammedServer(json(active({ exp: NOW + 60 })));
    const { server } = aResourceServer(authorizationServer.url, { cache: { lifetimeSeconds: 5 } });
    const checks = (cache: string) => [
      { check: 'syntax', isPassed: true, detail: 'a token' },
      { check: 'cache', isPassed: true, detail: cache },
      { check: 'introspection', isPassed: true, detail: 'active' },
      { check: 'exp lies in the future', isPassed: true, detail: `exp ${NOW + 60}, now ${NOW}` },
      { check: 'nbf lies in the past', isPassed: true, detail: `nbf is absent, now ${NOW}` },
      { check: 'aud names this API', isPassed: true, detail: `aud ["${RESOURCE}"], this API is ${RESOURCE}` },
      { check: 'binding', isPassed: true, detail: 'a bearer token' },
      { check: 'scope', isPassed: true, detail: 'scope "orders:read", required "orders:read"' },
    ];
    const needed = { scope: 'orders:read' };
    expect(await server.explain(TOKEN, needed)).toEqual({
      isAccepted: true,
      checks: checks('not cached'),
    });
    const second = await server.explain(TOKEN, needed);
    expect(second).toEqual({ isAccepted: true, checks: checks('cached, and known to be current') });
  });

  it.each<[string, unknown, string, RegExp]>([
    ['not active', { active: false }, 'introspection', /not active/],
    ['expired', active({ exp: NOW }), 'exp lies in the future', /^exp \d+, now \d+$/],
    ['not valid yet', active({ nbf: NOW + 1 }), 'nbf lies in the past', /^nbf \d+, now \d+$/],
    ['for another API', active({ aud: 'https://b.example' }), 'aud names this API', /b\.example/],
    ['bound in an unknown way', active({ cnf: { kid: 'k' } }), 'binding', /not supported/],
    ['without the scope', active({ scope: '' }), 'scope', /required "orders:read"/],
  ])('tells why a token is refused: %s', async (_what, members, check, detail) => {
    const authorizationServer = await startProgrammedServer(json(members));
    const { server } = aResourceServer(authorizationServer.url);
    const { isAccepted, checks } = await server.explain(TOKEN, { scope: 'orders:read' });
    const failures = checks.filter(({ isPassed }) => !isPassed);
    expect([isAccepted, failures.map((each) => each.check)]).toEqual([false, [check]]);
    expect(failures[0]?.detail).toMatch(detail);
    expect(JSON.stringify(checks)).not.toContain(TOKEN);
    expect(JSON.stringify(checks)).not.toContain('alice');
  });

  it('tells that introspection failed, that text is no token, and what a bound token needs', async () => {
    const authorizationServer = await startProgrammedServer(json({}, 401));
    const { server } = aResourceServer(authorizationServer.url);
    const last = async (token: string) => (await server.explain(token)).checks.at(-1);
    expect(await last(TOKEN)).toMatchObject({ check: 'introspection', isPassed: false });
    expect(await last('no token')).toMatchObject({ check: 'syntax', isPassed: false });
    authorizationServer.respond = json(active({ cnf: { jkt: 'a', 'x5t#S256': 'b' } }));
    const { isAccepted, checks } = await server.explain(TOKEN);
    expect(isAccepted).toBe(true);
    expect(checks.find(({ check }) => check === 'binding')?.detail).toBe(
      'bound: requests need a DPoP proof and the client certificate',
    );
  });
});
