import { Provider, type ProviderContext } from 'oidc-provider';
import { expect, it, vi } from 'vitest';
import { isolateListeners } from './isolated-listeners.js';

function createFixture() {
  const provider = new Provider('https://as.example', {});
  const problems: string[] = [];
  const heard: string[] = [];
  return {
    provider,
    problems,
    heard,
    isolate: () => isolateListeners(provider, (text) => problems.push(text)),
  };
}

it('calls every listener, also after one that throws, and reports the event', () => {
  const { provider, problems, heard, isolate } = createFixture();
  provider.on('grant.success', () => {
    throw new Error('metrics are away');
  });
  isolate();
  provider.on('grant.success', (ctx: ProviderContext) => heard.push(ctx.oidc.route));
  expect(provider.emit('grant.success', { oidc: { route: 'token' } })).toBe(true);
  expect(heard).toEqual(['token']);
  expect(problems).toEqual([
    'createProvider: a listener of grant.success failed; the response does not depend on it: metrics are away',
  ]);
});

it('reports a listener whose promise rejects', async () => {
  const { provider, problems, isolate } = createFixture();
  isolate();
  provider.on('authorization.success', async () => {
    throw new Error('the queue is full');
  });
  provider.emit('authorization.success');
  await vi.waitFor(() => expect(problems).toEqual([expect.stringContaining('the queue is full')]), 60_000);
});

it('calls a listener for one time once, and leaves an error without a listener as it is', () => {
  const { provider, heard, isolate } = createFixture();
  isolate();
  Reflect.apply(Reflect.get(provider, 'once'), provider, ['saved', () => heard.push('saved')]);
  for (let time = 0; time < 2; time += 1) provider.emit('saved');
  expect(heard).toEqual(['saved']);
  expect(() => provider.emit('error', new Error('unheard'))).toThrow('unheard');
});
