import { EventEmitter, once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { sampleServer } from '@vestibule/http/testing';
import { runningTime } from '@vestibule/testkit';
import Type from 'typebox';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SettingsError } from '../settings/load-settings.js';
import { type Build, EVENTUALLY, fakeHost, SETTINGS, start, started } from '../testing/service-process.js';
import { StartError } from './process-host.js';
import { runService } from './run-service.js';

describe('starting', () => {
  it('writes every problem of the settings on its own line and exits with 2', async () => {
    const process = fakeHost();
    const problems = [
      { name: 'PORT', problem: 'must be an integer' },
      { name: 'BASE_URL', problem: 'is required' },
    ];
    const time = runningTime();
    const service = await runService(
      {
        name: 'sample',
        load: () => {
          throw new SettingsError(problems);
        },
        build: () => {
          throw new Error('must not be built');
        },
      },
      process.host,
    );
    expect(time.end()).toBeLessThan(1000);
    expect(service).toBeUndefined();
    expect(process.exits).toEqual([2]);
    expect(process.errors).toEqual([
      'sample: invalid configuration.',
      '  PORT: must be an integer',
      '  BASE_URL: is required',
    ]);
  });

  it('warns about a variable whose name is similar to a setting, names the setting, and starts', async () => {
    const environment = { ALLOW_OPEN_REGISTRATIONS: 'true', ALLOW_OPEN_REGISTRATION: 'true', PATH: '/bin' };
    const process = fakeHost();
    const { server } = sampleServer({});
    const schemas = [Type.Object({ ALLOW_OPEN_REGISTRATION: Type.Boolean(), PORT: Type.Integer() })];
    const service = await runService(
      {
        name: 'sample',
        schemas,
        environment,
        load: () => SETTINGS,
        build: () => ({ server, dependencies: [] }),
      },
      process.host,
    );
    if (service !== undefined) onTestFinished(async () => void (await service.stop()));
    expect(service).toBeDefined();
    expect(process.errors).toEqual([
      'sample: ALLOW_OPEN_REGISTRATIONS is not a setting and is ignored. Did you mean ALLOW_OPEN_REGISTRATION?',
    ]);
  });

  it('serves management at MANAGEMENT_HOST only, and clients at HOST only', async () => {
    const { service } = await start({ settings: { HOST: '127.0.0.2', MANAGEMENT_HOST: '127.0.0.3' } });
    const isReached = (host: string, port = 0) =>
      fetch(`http://${host}:${port}/health/live`).then(
        () => true,
        () => false,
      );
    const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const reached = (port: number | undefined) => Promise.all(hosts.map((host) => isReached(host, port)));
    expect(await reached(service?.managementPort)).toEqual([false, false, true]);
    expect(await reached(service?.port)).toEqual([false, true, false]);
  });

  it('names PORT + 1000 as the origin of the management port if only PORT is set', async () => {
    const other = createTcpServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { errors } = await start({ settings: { PORT: port - 1000 } });
    await new Promise((resolve) => other.close(resolve));
    expect(errors).toEqual([
      `sample: Cannot listen on 127.0.0.1, port ${port} (PORT + 1000; MANAGEMENT_PORT sets another): the port is already in use.`,
    ]);
  });

  it.each(['PORT', 'MANAGEMENT_PORT'])(
    'states in one sentence that %s is in use, exits with 1 and releases its resources',
    async (name) => {
      const other = createTcpServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const close = vi.fn(async () => {});
      const { service, errors, exits } = await start({
        settings: { PORT: 0, MANAGEMENT_PORT: 0, [name]: port },
        dependencies: [{ name: 'store', close }],
      });
      other.close();
      expect(service).toBeUndefined();
      expect(errors).toEqual([
        `sample: Cannot listen on 127.0.0.1, port ${port} (${name}): the port is already in use.`,
      ]);
      expect(exits).toEqual([1]);
      expect(close).toHaveBeenCalledOnce();
    },
  );

  it('exits with 1 if the service cannot be built', async () => {
    const process = fakeHost();
    const build = () => Promise.reject(new Error('no'));
    expect(await runService({ name: 'sample', load: () => SETTINGS, build }, process.host)).toBeUndefined();
    expect(process.exits).toEqual([1]);
  });

  it('closes its servers, then its dependencies in reverse order if the build fails', async () => {
    const process = fakeHost();
    const order: string[] = [];
    const build: Build = async ({ own, ownServer }) => {
      for (const name of ['first', 'second']) own({ name, close: async () => void order.push(name) });
      const close = async () => order.push('server') > 0;
      ownServer({ name: 'further', beginDrain: () => undefined, close });
      throw new StartError('There is no database.');
    };
    expect(await runService({ name: 'sample', load: () => SETTINGS, build }, process.host)).toBeUndefined();
    expect(order).toEqual(['server', 'second', 'first']);
    expect(process.errors).toEqual(['sample: There is no database.']);
    expect(process.exits).toEqual([1]);
  });

  it('closes its dependencies if onListening fails', async () => {
    const process = fakeHost();
    const close = vi.fn(async () => {});
    const { server } = sampleServer();
    const service = await runService(
      {
        name: 'sample',
        load: () => SETTINGS,
        build: () => ({ server, dependencies: [{ name: 'store', close }] }),
        onListening: () => {
          throw new Error('no');
        },
      },
      process.host,
    );
    expect(service).toBeUndefined();
    expect(close).toHaveBeenCalledOnce();
    expect(process.exits).toEqual([1]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('cancels the start on %s during the build', async (name) => {
    const process = fakeHost();
    const order: string[] = [];
    const closing = (dependency: string) => ({
      name: dependency,
      close: async () => void order.push(dependency),
    });
    const gate = new EventEmitter();
    let late: unknown;
    const build: Build = async ({ own }) => {
      own(closing('first'));
      own(closing('second'));
      gate.emit('waiting');
      await once(gate, 'go on');
      try {
        own(closing('late'));
      } catch (error) {
        late = error;
        throw error;
      }
      throw new Error('unreachable');
    };
    const waiting = once(gate, 'waiting');
    const service = runService({ name: 'sample', load: () => SETTINGS, build }, process.host);
    await waiting;
    process.signal(name);
    expect(await service).toBeUndefined();
    await vi.waitFor(() => expect(process.exits).toEqual([0]), 60_000);
    expect(order).toEqual(['second', 'first']);
    gate.emit('go on');
    await vi.waitFor(() => expect(late).toBeInstanceOf(StartError), 60_000);
    expect(order).toEqual(['second', 'first', 'late']);
    expect(process.exits).toEqual([0]);
    expect(process.errors).toEqual([]);
  });

  it('closes a dependency that was both registered and returned only once', async () => {
    const process = fakeHost();
    const close = vi.fn(async () => {});
    const store = { name: 'store', close };
    const { server } = sampleServer();
    const build: Build = ({ own }) => {
      own(store);
      return { server, dependencies: [store] };
    };
    const service = await runService({ name: 'sample', load: () => SETTINGS, build }, process.host);
    expect(await service?.stop()).toBe(true);
    expect(close).toHaveBeenCalledOnce();
  });

  it('runs while dependencies are down, and becomes ready when they are up', async () => {
    let isUp = false;
    const check = async () => {
      if (!isUp) throw new Error('down');
    };
    const dependencies = [
      { name: 'store', check, close: async () => {} },
      { name: 'other', close: async () => {} },
    ];
    const { management, ready, url } = await started({ dependencies });
    expect((await fetch(management('/health/live'))).status).toBe(200);
    expect(await ready()).toBe(503);
    const report = await (await fetch(management('/health/ready'))).json();
    expect(report).toEqual({ status: 'not ready', dependencies: { store: 'down' } });
    expect((await fetch(url('/work'))).status).toBe(200);
    isUp = true;
    expect(await ready()).toBe(200);
    const metrics = await (await fetch(management('/metrics'))).text();
    expect(metrics).toContain('dependency_up{dependency="store",service="sample"} 1');
    expect(metrics).not.toContain('dependency="other"');
  });

  it('opens its port for clients when its dependencies respond, so that no request waits for them', async () => {
    const before: string[] = [];
    const check = async () => {
      before.push('check');
      if (before.length < 3) throw new Error('not yet');
    };
    const { url } = await started({ dependencies: [{ name: 'store', check, close: async () => {} }] });
    expect(before).toEqual(['check', 'check', 'check']);
    expect((await fetch(url('/work'))).status).toBe(200);
  });

  it('ends on a signal while it waits for its dependencies, and never opens its port for clients', async () => {
    const process = fakeHost();
    const { server } = sampleServer();
    const closed: string[] = [];
    let checks = 0;
    const check = () => {
      checks += 1;
      if (checks === 1) process.signal('SIGTERM');
      return Promise.reject(new Error('down'));
    };
    const close = async () => void closed.push('store');
    const build = () => ({ server, dependencies: [{ name: 'store', check, close }] });
    const service = await runService({ name: 'sample', load: () => SETTINGS, build }, process.host);
    await vi.waitFor(() => expect(process.exits).toEqual([0]), EVENTUALLY);
    expect([service, closed, server.server.listening]).toEqual([undefined, ['store'], false]);
  });

  it('includes problems for the operator in its readiness, also those of optional dependencies', async () => {
    const problem = () => 'Redis 5.0.14 is too old: version 6.0 or newer is needed';
    const { management } = await started({
      dependencies: [{ name: 'redis', problem, close: async () => {} }],
    });
    const response = await fetch(management('/health/ready'));
    expect(await response.json()).toEqual({
      status: 'ready',
      dependencies: {},
      problems: [problem()],
    });
  });

  it('reports a dependency that does not respond as down', async () => {
    const { ready } = await started({
      dependencies: [{ name: 'frozen', check: () => new Promise(() => {}), close: async () => {} }],
    });
    expect(await ready()).toBe(503);
  });

  it('is not ready before its port is open, even if its dependencies are', async () => {
    const process = fakeHost();
    const { server } = sampleServer();
    const gate = new EventEmitter();
    const [requested, managementPort] = [once(gate, 'asked'), await aFreePort()];
    server.addHook('onReady', async () => {
      gate.emit('asked');
      await once(gate, 'go on');
    });
    const service = runService(
      {
        name: 'sample',
        load: () => ({ ...SETTINGS, MANAGEMENT_PORT: managementPort }),
        build: () => ({ server, dependencies: [] }),
      },
      process.host,
    );
    await requested;
    const ready = async () => (await fetch(`http://127.0.0.1:${managementPort}/health/ready`)).status;
    expect(await ready()).toBe(503);
    gate.emit('go on');
    const started = await service;
    expect(await ready()).toBe(200);
    await started?.stop();
  });

  it('does not serve health and metrics on the public port', async () => {
    const { url } = await started();
    for (const path of ['/health/live', '/health/ready', '/metrics']) {
      expect((await fetch(url(path))).status).toBe(404);
    }
  });
});

async function aFreePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
