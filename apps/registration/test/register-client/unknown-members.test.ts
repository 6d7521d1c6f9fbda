import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import { information, send } from '../support/calls.js';

const BODY = { redirect_uris: ['https://app.example/cb'] };

/** Unknown members with values that no store could keep, as JSON text. */
const UNKNOWN = [
  '"unknown":"\\u0000"',
  '"unknown":"a\\u0007b"',
  '"unknown":"\\ud800"',
  '"unknown":["\\u0000",{"\\u0001":"\\u0002"}]',
  '"unknown":{"a":{"b":"\\u001b[2J"}}',
  '"un\\u0000known":1',
  '"unknown":1e400',
];

it.each(UNKNOWN)(
  'leaves out an unknown member whatever it contains: %s (RFC 7591 section 2)',
  async (member) => {
    const { app } = await buildTestApp();
    const headers = { 'content-type': 'application/json' };
    const payload = `{"redirect_uris":["https://app.example/cb"],${member}}`;
    const dryRun = await send(app, 'POST /clients?dry_run=true', { token: MASTER, headers, payload });
    const plain = await send(app, 'POST /clients?dry_run=true', { token: MASTER, body: BODY });
    expect(dryRun).toEqual(plain);
    information(await send(app, 'POST /clients', { token: MASTER, headers, payload }));
  },
);
