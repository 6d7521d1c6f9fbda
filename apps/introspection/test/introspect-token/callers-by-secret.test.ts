import { expect, it, vi } from 'vitest';
import { proofOf, registerCaller } from '../support/callers.js';
import { call } from '../support/introspection-call.js';
import { aTestService } from '../support/test-service.js';

const CALLS = 500;

// The digest is enough to check a presented secret, so a process that only introspects decrypts none.
it('decrypts no client secret for a caller that presents one, whether it is right, wrong or unknown', async () => {
  const service = await aTestService();
  const opened = vi.spyOn(service.keys.encryptor, 'open');
  const token = await service.identifier();
  const methods = ['client_secret_basic', 'client_secret_post'] as const;
  for (const method of methods) await registerCaller(service, method, method);
  const proofs = await Promise.all(methods.map((method) => proofOf(service, method, method)));
  for (let index = 0; index < CALLS; index += 1)
    for (const { authorization, form, headers } of proofs) {
      const { status } = await call(service.app, { token, ...form }, { authorization, headers });
      expect(status).toBe(200);
    }
  const wrong = { authorization: `Basic ${Buffer.from('client_secret_basic:wrong').toString('base64')}` };
  const unknown = { authorization: `Basic ${Buffer.from('unknown:wrong').toString('base64')}` };
  for (const proof of [wrong, unknown]) expect((await call(service.app, { token }, proof)).status).toBe(401);
  expect(opened).not.toHaveBeenCalled();

  await registerCaller(service, 'by-assertion', 'client_secret_jwt');
  const { form } = await proofOf(service, 'by-assertion', 'client_secret_jwt');
  const { status } = await call(service.app, { token, ...form }, { authorization: undefined });
  expect(status).toBe(200);
  expect(opened).toHaveBeenCalledTimes(1);
});
