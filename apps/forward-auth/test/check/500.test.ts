import { expect, it } from 'vitest';
import { requestDecider } from '../../src/decide-request.js';

it('refuses a request after an unexpected error, which reaches the log', async () => {
  const errors: unknown[] = [];
  const error = new Error('unexpected');
  const { decide } = requestDecider({
    findRoute: () => {
      throw error;
    },
    onError: (each) => errors.push(each),
  });
  const request = { method: 'GET', host: 'api.example', url: '/', header: () => undefined };
  expect(await decide(request)).toEqual({
    outcome: 'refused',
    status: 500,
    headers: { 'Cache-Control': 'no-store' },
    body: '',
  });
  expect(errors).toEqual([error]);
});
