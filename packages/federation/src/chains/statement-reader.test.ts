import { frozenClock } from '@vestibule/protocol/testing';
import { describe, expect, it } from 'vitest';
import { decodeStatement } from '../statements/decode-statement.js';
import { parseConfiguration } from '../statements/parse-statement.js';
import { anEntity, configurationClaims, signAs, subordinateClaims } from '../testing/test-entity.js';
import { DEFAULT_DISCOVERY_LIMITS } from './discovery-ports.js';
import { createStatementReader } from './statement-reader.js';

const superior = anEntity('https://org.example');
const leaf = anEntity('https://rp.example');
const rules = { dialect: 'final', allowHosts: ['127.0.0.1'] } as const;

/** Where a superior with this endpoint is asked about the leaf; `undefined` when it is not asked at all. */
async function askedAt(endpoint: unknown): Promise<string | undefined> {
  const metadata = JSON.parse(JSON.stringify({ federation_entity: { federation_fetch_endpoint: endpoint } }));
  const own = parseConfiguration(
    decodeStatement(signAs(superior, configurationClaims(superior, { metadata }))),
    rules,
  );
  const asked: string[] = [];
  const reader = createStatementReader({
    fetch: async (address) => {
      asked.push(address);
      return signAs(superior, subordinateClaims(superior, leaf));
    },
    clock: frozenClock(),
    limits: DEFAULT_DISCOVERY_LIMITS,
    rules,
    signal: new AbortController().signal,
  });
  try {
    expect((await reader.subordinate(own, leaf.id)).subject).toBe(leaf.id);
  } catch (failure) {
    expect(failure).toMatchObject({ reason: 'no_fetch_endpoint' });
  }
  return asked[0];
}

describe('the fetch endpoint of a superior', () => {
  it('is asked for the entity, with its own query kept', async () => {
    const sub = 'sub=https%3A%2F%2Frp.example';
    expect(await askedAt('https://org.example/fetch')).toBe(`https://org.example/fetch?${sub}`);
    expect(await askedAt('https://org.example/fetch?tenant=a')).toBe(
      `https://org.example/fetch?tenant=a&${sub}`,
    );
    expect(await askedAt('https://org.example/fetch?sub=other')).toBe(`https://org.example/fetch?${sub}`);
    expect(await askedAt('http://127.0.0.1:8080/fetch')).toBe(`http://127.0.0.1:8080/fetch?${sub}`);
  });

  it('is not asked when it is no https address', async () => {
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
    ])
      expect(await askedAt(endpoint), String(endpoint)).toBeUndefined();
  });
});
