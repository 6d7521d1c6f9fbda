import type { Issuer } from '@vestibule/protocol';
import { frozenClock } from '@vestibule/protocol/testing';
import { expect, it } from 'vitest';
import { fetchedProviderMetadata } from './provider-metadata.js';

const ISSUER = 'https://op.example' as Issuer;
const URL = 'https://op.example/.well-known/openid-configuration';
const FAILED = { outcome: 'failed', reason: 'refused', status: undefined } as const;

function aServer() {
  const clock = frozenClock();
  const served: { text: string | undefined; requested: number } = { text: undefined, requested: 0 };
  const egress = {
    fetchDocument: async () => {
      served.requested += 1;
      const { text } = served;
      return text === undefined
        ? { ...FAILED, retryAfterSeconds: undefined, detail: undefined }
        : ({ outcome: 'ok', status: 200, mediaType: 'application/json', text } as const);
    },
  };
  return { clock, served, read: fetchedProviderMetadata({ egress, clock, url: URL, issuer: ISSUER }) };
}

it('reads the document once a minute, and keeps the last one while it is unavailable', async () => {
  const { clock, served, read } = aServer();
  await expect(read()).rejects.toThrow(TypeError);
  served.text = JSON.stringify({ issuer: ISSUER, x: 1 });
  expect(await read()).toEqual({ issuer: ISSUER, x: 1 });
  served.text = JSON.stringify({ issuer: ISSUER, x: 2 });
  clock.advanceSeconds(59);
  expect(await read()).toMatchObject({ x: 1 });
  expect(served.requested).toBe(2);
  clock.advanceSeconds(1);
  expect(await read()).toMatchObject({ x: 2 });
  served.text = undefined;
  clock.advanceSeconds(3_600);
  expect(await read()).toMatchObject({ x: 2 });
});

it('refuses a document of another issuer, and anything that is not a discovery document', async () => {
  const { served, read } = aServer();
  for (const text of ['{"issuer":"https://other.example"}', '{}', '[]', 'x', `{"issuer":"${ISSUER}/"}`]) {
    served.text = text;
    await expect(read(), text).rejects.toThrow();
  }
});
