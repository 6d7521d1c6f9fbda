import { FederationFailure } from '@vestibule/federation';
import { DomainError } from '@vestibule/protocol';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { federationRegistrationMetrics } from './registration-metrics.js';

const refused = async (cause?: unknown) => {
  throw new DomainError('unauthorized_client', 'The entity cannot be trusted.', { cause });
};

it('counts registrations by outcome, refusals by reason and fetches, and passes on results and errors', async () => {
  const registry = new Registry();
  const metrics = federationRegistrationMetrics(registry);
  expect(await metrics.registration('explicit', Promise.resolve('it'))).toBe('it');
  const cause = new FederationFailure('signature', 'signature does not verify');
  for (const each of [cause, undefined])
    await expect(metrics.registration('automatic', refused(each))).rejects.toBeInstanceOf(DomainError);
  const fault = new Error('a fault');
  await expect(metrics.registration('explicit', Promise.reject(fault))).rejects.toBe(fault);
  expect(await metrics.fetch(Promise.resolve('text'))).toBe('text');
  expect(await metrics.fetch(Promise.resolve(undefined))).toBeUndefined();
  const counted = (await linesOf(registry)).filter((line) => !line.endsWith(' 0'));
  expect(counted).toEqual([
    'federation_registrations_total{kind="explicit",outcome="registered"} 1',
    'federation_registrations_total{kind="explicit",outcome="failed"} 1',
    'federation_registrations_total{kind="automatic",outcome="refused"} 2',
    'federation_refusals_total{kind="automatic",reason="signature"} 1',
    'federation_refusals_total{kind="automatic",reason="unauthorized_client"} 1',
    'federation_statement_fetches_total{outcome="fetched"} 1',
    'federation_statement_fetches_total{outcome="unresolvable"} 1',
  ]);
});

it('starts all counters at zero, so that the first increment is visible', async () => {
  const registry = new Registry();
  federationRegistrationMetrics(registry);
  const lines = await linesOf(registry);
  for (const labels of [
    'registrations_total{kind="automatic",outcome="refused"}',
    'refusals_total{kind="explicit",reason="signature"}',
    'statement_fetches_total{outcome="unresolvable"}',
  ])
    expect(lines).toContain(`federation_${labels} 0`);
});

it('returns the same metrics for all services that share a registry', () => {
  const registry = new Registry();
  expect(federationRegistrationMetrics(registry)).toBe(federationRegistrationMetrics(registry));
});

async function linesOf(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line.startsWith('federation'));
}
