import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { type Call, type Seen, send } from '../support/calls.js';

const BODIES: readonly unknown[] = [
  { redirect_uris: ['https://app.example/cb'] },
  { redirect_uris: ['https://app.example/cb'], client_name: 'One', data: { a: 1 } },
  { redirect_uris: ['none'] },
  { redirect_uris: ['https://app.example/cb'], client_name: 1 },
  { software_statement: 'x' },
  [],
];
const KEYS = [undefined, 'key', '"quoted"', 'used', 'two words', '', 'k'.repeat(256)];
const SETTINGS = [
  {},
  { ALLOW_OPEN_REGISTRATION: 'true' },
  { ALLOW_OPEN_REGISTRATION: 'true', IDEMPOTENCY_RETENTION_SECONDS: '0' },
];

/** The part of a response that a dry run foretells: all of a refusal, and of a success that it is one. */
function verdict({ status, headers, body }: Seen): unknown {
  return status < 400 ? status : { status, headers, body };
}

it.each(SETTINGS)(
  'answers a dry run as the request, for every token, body and idempotency key, with %j',
  async (settings) => {
    const { app, initialToken } = await buildTestApp(settings);
    const spent = await initialToken('client-reg');
    const used = { token: spent, body: BODIES[1], headers: { 'idempotency-key': 'used' } };
    expect((await send(app, 'POST /clients', used)).status).toBe(200);
    const tokens = [
      () => undefined,
      () => 'unknown',
      () => MASTER,
      () => spent,
      () => initialToken('client-reg'),
    ];
    for (const tokenOf of tokens)
      for (const body of BODIES)
        for (const key of KEYS) {
          const token = await tokenOf();
          const call: Call = { token, body, headers: key === undefined ? {} : { 'idempotency-key': key } };
          const dryRun = verdict(await send(app, 'POST /clients?dry_run=true', call));
          const real = verdict(await send(app, 'POST /clients', call));
          expect(dryRun, JSON.stringify([token, body, key])).toEqual(real);
        }
  },
);
