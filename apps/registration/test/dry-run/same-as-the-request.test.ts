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

/** The part of a response that a dry run predicts: a whole refusal, and of a success only that it is one. */
function verdict({ status, headers, body }: Seen): unknown {
  return status < 400 ? status : { status, headers, body };
}

it.each(SETTINGS)(
  'returns in a dry run the result of the request, for every token, body and idempotency key, with %j',
  async (settings) => {
    const { app, initialToken } = await buildTestApp(settings);
    const consumed = await initialToken('client-reg');
    const used = { token: consumed, body: BODIES[1], headers: { 'idempotency-key': 'used' } };
    expect((await send(app, 'POST /clients', used)).status).toBe(200);
    const tokens = [
      () => undefined,
      () => 'unknown',
      () => MASTER,
      () => consumed,
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

const BODY = { redirect_uris: ['https://app.example/cb'] };
const LIMITED = [
  {
    what: 'of one software',
    settings: { OPEN_REGISTRATIONS_PER_HOUR_AND_SOFTWARE: '2' },
    body: { ...BODY, software_id: 'software' },
    retryAfter: '1800',
  },
  {
    what: 'that are unused',
    settings: { MAX_UNUSED_OPEN_CLIENTS: '4' },
    body: BODY,
    retryAfter: '300',
  },
] as const;

it.each(LIMITED)(
  'returns in a dry run the result of the request if open registrations $what are limited, without counting against the limit',
  async ({ settings, body, retryAfter }) => {
    const { app, all } = await buildTestApp({ ALLOW_OPEN_REGISTRATION: 'true', ...settings });
    const verdicts: unknown[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const dryRuns = [];
      for (let repetition = 0; repetition < 3; repetition += 1)
        dryRuns.push(verdict(await send(app, 'POST /clients?dry_run=true', { body })));
      const real = verdict(await send(app, 'POST /clients', { body }));
      expect(dryRuns).toEqual([real, real, real]);
      verdicts.push(real);
    }
    const refused = {
      status: 429,
      headers: expect.objectContaining({ 'retry-after': retryAfter }),
      body: '',
    };
    expect(verdicts).toEqual([200, 200, refused, refused]);
    expect(await all()).toHaveLength(2);
    const withToken = { body, token: MASTER };
    expect(verdict(await send(app, 'POST /clients?dry_run=true', withToken))).toBe(200);
  },
);
