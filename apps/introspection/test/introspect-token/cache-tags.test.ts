import { epochSeconds, nowSeconds, systemClock } from '@vestibule/protocol';
import { expect, it, vi } from 'vitest';
import { aCachedInstance, aTimedService } from '../support/cached-instance.js';
import { basic, call } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const prefer = (value: string) => ({ headers: { prefer: value } });

const TAGGED = {
  'preference-applied': 'cache-tags',
  'stream-position': expect.stringMatching(/^[\w-]{16}\.\d+$/),
  'cache-tags': expect.stringMatching(/^[\w-]{22}(?:, [\w-]{22})+$/),
  'token-cache-control': expect.stringMatching(/^max-age=\d+$/),
};

/** The response to a caller that may keep it, which it may not while the instance cannot prove that it is current. */
const tagged = (...request: Parameters<typeof call>) =>
  vi.waitUntil(
    async () => {
      const response = await call(...request);
      return response.headers['preference-applied'] === undefined ? undefined : response;
    },
    { timeout: 60_000 },
  );

it('tells a caller that asks for it how long it may keep the response, and changes nothing else', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  const token = await service.identifier();
  const plain = await call(app, { token });
  for (const value of [
    'cache-tags',
    'respond-async, Cache-Tags',
    'cache-tags;x=1',
    'cache-tags="", wait=1',
  ]) {
    const { headers, ...response } = await tagged(app, { token }, prefer(value));
    expect({ headers, ...response }).toEqual({ ...plain, headers: { ...plain.headers, ...TAGGED } });
  }
});

it('tells nothing to a caller that does not ask for it', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  const token = await service.identifier();
  const plain = await call(app, { token });
  for (const value of ['', 'cache-tags-too', 'no-cache-tags', 'x="cache-tags"', 'x; cache-tags'])
    expect(await call(app, { token }, prefer(value))).toEqual(plain);
});

it('limits the age of a response to the life of its token, of a verified signature and of its client', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  const age = async (token: string) =>
    (await tagged(app, { token }, prefer('cache-tags'))).headers['token-cache-control'];
  expect(await age(await service.identifier({ lifetimeSeconds: 20 }))).toMatch(/^max-age=1[0-9]$/);
  expect(await age(await service.jwt())).toMatch(/^max-age=(?:59|60)$/);
  const clientId = 'ending' as Awaited<ReturnType<typeof service.identifier>> & never;
  await service.register('ending', {}, { expiresAt: epochSeconds(nowSeconds(systemClock) + 30) });
  expect(await age(await service.identifier({ clientId }))).toMatch(/^max-age=2[0-9]$/);
});

it('has the same headers with signed responses', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service, { environment: { ACCESS_TOKEN_SIGNING_ALG: 'ES256' } });
  const headers = { prefer: 'cache-tags', accept: 'application/token-introspection+jwt' };
  const response = await tagged(app, { token: await service.identifier() }, { headers });
  expect(response.headers).toMatchObject({
    ...TAGGED,
    'content-type': 'application/token-introspection+jwt',
  });
});

it('says nothing about responses that must not be kept', async () => {
  const service = await aTimedService();
  const cached = await aCachedInstance(service);
  const small = await aCachedInstance(service, { environment: { INTROSPECTION_CACHE_ENTRIES: '0' } });
  const uncached = await aTestService();
  const token = await service.identifier();
  const requests = [
    [cached.app, { token: 'unknown' }],
    [cached.app, { token: await service.identifier(), revoke: 'true' }],
    [small.app, { token }],
    [uncached.app, { token: await uncached.identifier() }],
  ] as const;
  for (const [app, form] of requests) {
    const { status, headers } = await call(app, form, prefer('cache-tags'));
    expect(status).toBe(200);
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['stream-position']));
    expect(headers['cache-tags']).toBeUndefined();
  }
});

it('names the same tags at every instance, and others for other callers', async () => {
  const service = await aTimedService();
  const [one, other] = [await aCachedInstance(service), await aCachedInstance(service)];
  await service.register('rs2');
  const token = await service.identifier();
  const tags = async ({ app }: typeof one, caller: string) => {
    const authorization = basic(caller);
    const { headers } = await tagged(app, { token }, { ...prefer('cache-tags'), authorization });
    return String(headers['cache-tags']).split(', ');
  };
  const [first, second, third] = [await tags(one, 'rs1'), await tags(other, 'rs1'), await tags(one, 'rs2')];
  expect(second).toEqual(first);
  expect(third).not.toEqual(first);
  expect(third.filter((tag) => first.includes(tag))).toHaveLength(first.length - 1);
});

it('refuses a caller with a wrong secret as without the preference', async () => {
  const service = await aTimedService();
  const { app } = await aCachedInstance(service);
  const authorization = basic('rs1', 'wrong');
  const refused = await call(app, { token: 'x' }, { ...prefer('cache-tags'), authorization });
  expect(refused.status).toBe(401);
  expect(refused).toEqual(await call(app, { token: 'x' }, { authorization }));
});
