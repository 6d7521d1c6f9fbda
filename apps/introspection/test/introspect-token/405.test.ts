import { expect, it } from 'vitest';
import { basic, NO_STORE, seenResponse } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

it('refuses all methods but POST, whatever the request contains', async () => {
  const service = await aTestService();
  const token = await service.identifier();
  for (const method of METHODS) {
    const headers = { authorization: basic(), 'x-http-method-override': 'POST' };
    const response = await seenResponse(service.app, {
      method,
      url: `/token/introspect?token=${token}`,
      headers,
    });
    expect(response, method).toEqual({ status: 405, headers: { ...NO_STORE, allow: 'POST' }, body: '' });
  }
});

it('has no other spelling of its path', async () => {
  const { app } = await aTestService();
  for (const url of [
    '/token/introspect/',
    '/Token/Introspect',
    '//token/introspect',
    '/token/introspect;x',
    '/token',
  ]) {
    const response = await seenResponse(app, { method: 'POST', url, headers: { authorization: basic() } });
    expect(response, url).toEqual({ status: 404, headers: NO_STORE, body: '' });
  }
});
