import { memoryLog } from '@vestibule/http/testing';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.js';

const CANARY = 'canary-5d1f';

describe('Secret', () => {
  it('is shown only by reveal', async () => {
    const { format, inspect } = await import('node:util');
    const secret = new Secret(CANARY);
    const { logger, text } = memoryLog();
    const entry = { detail: secret, reason: `${secret}` };
    Reflect.apply(logger.info, logger, [entry, 'x %s %j', secret, secret]);
    const shown = [
      String(secret),
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret }),
      format('%s %o', secret, secret),
    ];
    expect([...shown, text(), Object.keys(secret).join()].join()).not.toContain(CANARY);
    expect([inspect(secret), String(secret), JSON.stringify(secret)]).toEqual([
      '[secret]',
      '[secret]',
      '"[secret]"',
    ]);
    expect(secret.reveal()).toBe(CANARY);
  });
});
