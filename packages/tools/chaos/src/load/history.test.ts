import type { ClientId } from '@vestibule/protocol';
import { expect, it } from 'vitest';
import { openHistory } from './history.js';
import type { HttpResponse } from './http.js';

it('settles when the requests that were under way have their responses', async () => {
  const history = openHistory();
  const responses: ((response: HttpResponse) => void)[] = [];
  const post = () => new Promise<HttpResponse>((resolve) => responses.push(resolve));
  const instance = { node: 'one', caller: { post, get: post, close: () => undefined } };
  const token = {
    name: 'client' as ClientId,
    token: 'text',
    format: 'identifier' as const,
    expiresAtMs: 0,
  };
  void history.introspect(instance, token);
  void history.introspect(instance, token);
  let isSettled = false;
  const settling = history.settled().then(() => {
    isSettled = true;
  });
  responses[0]?.({ status: 200, body: '{"active":true}' });
  await new Promise(setImmediate);
  expect([isSettled, history.count('active')]).toEqual([false, 1]);
  responses[1]?.({ status: 200, body: '{"active":false}' });
  await settling;
  expect([history.count('active'), history.count('inactive')]).toEqual([1, 1]);
});
