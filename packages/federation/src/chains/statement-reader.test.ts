import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { anEntity, configurationClaims, signAs, subordinateClaims } from '../testing/test-entity.js';
import { DEFAULT_DISCOVERY_LIMITS, type StatementFetcher } from './discovery-ports.js';
import { createStatementReader } from './statement-reader.js';

const superior = anEntity('https://org.example');
const leaf = anEntity('https://rp.example');
const rules = { profile: 'final', allowHosts: ['127.0.0.1'] } as const;

function superiorWith(metadata: object) {
  const claims = configurationClaims(superior, { metadata: JSON.parse(JSON.stringify(metadata)) });
  return parseConfiguration(decodeStatement(signAs(superior, claims)), rules);
}

function readerOf(fetch: StatementFetcher) {
  const [clock, { signal }] = [frozenClock(), new AbortController()];
  return createStatementReader({ fetch, clock, limits: DEFAULT_DISCOVERY_LIMITS, rules, signal });
}

/** The URL requested for the leaf from a superior with this endpoint; `undefined` if there is no request. */
async function requestedUrl(endpoint: unknown): Promise<string | undefined> {
  const own = superiorWith({ federation_entity: { federation_fetch_endpoint: endpoint } });
  const addresses: string[] = [];
  const reader = readerOf(async (address) => {
    addresses.push(address);
    return signAs(superior, subordinateClaims(superior, leaf));
  });
  try {
    expect((await reader.subordinate(own, leaf.id)).subject).toBe(leaf.id);
  } catch (failure) {
    expect(failure).toMatchObject({ reason: 'no_fetch_endpoint' });
  }
  return addresses[0];
}

describe('the fetch endpoint of a superior', () => {
  // OpenID Federation 1.0, figure 28 (API Request for a Subordinate Statement).
  it('gets the entity as a parameter, beside its own query', async () => {
    const sub = 'sub=https%3A%2F%2Frp.example';
    expect(await requestedUrl('https://org.example/fetch')).toBe(`https://org.example/fetch?${sub}`);
    expect(await requestedUrl('https://org.example/fetch?tenant=a')).toBe(
      `https://org.example/fetch?tenant=a&${sub}`,
    );
    expect(await requestedUrl('https://org.example/fetch?sub=other')).toBe(
      `https://org.example/fetch?${sub}`,
    );
    expect(await requestedUrl('http://127.0.0.1:8080/fetch')).toBe(`http://127.0.0.1:8080/fetch?${sub}`);
  });

  it('gets no request if it is not an https URL', async () => {
    for (const endpoint of [
      undefined,
      '',
      1,
      ['https://org.example/fetch'],
      '/fetch',
      'http://org.example/fetch',
      'https://org.example/fetch#a',
      'https://user@org.example/fetch',
      'javascript:alert(1)',
      'file:///etc/passwd',
      `https://org.example/${'a'.repeat(2_048)}`,
    ])
      expect(await requestedUrl(endpoint), String(endpoint)).toBeUndefined();
    const reader = readerOf(async () => undefined);
    await expect(reader.subordinate(superiorWith({}), leaf.id)).rejects.toMatchObject({
      reason: 'no_fetch_endpoint',
    });
  });

  it('may not return a statement about or by another entity', async () => {
    const own = superiorWith({ federation_entity: { federation_fetch_endpoint: `${superior.id}/fetch` } });
    const other = anEntity('https://other.example');
    for (const statement of [
      signAs(superior, subordinateClaims(superior, other)),
      signAs(other, subordinateClaims(other, leaf)),
    ])
      await expect(readerOf(async () => statement).subordinate(own, leaf.id)).rejects.toMatchObject({
        reason: 'unexpected_statement',
      });
  });
});
