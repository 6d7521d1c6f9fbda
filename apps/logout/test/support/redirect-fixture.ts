import { aTestService, BACK } from './test-service.js';

/** The registered addresses of the client. */
export const REGISTERED = [BACK, 'https://app.example/bye?from=op', 'com.example.app:/done'];

/** A client with three registered addresses, and addresses that resemble them. */
export async function redirectFixture(settings = {}) {
  const service = await aTestService({ settings });
  await service.register('a', { post_logout_redirect_uris: REGISTERED });
  await service.register('b', { post_logout_redirect_uris: ['https://b.example/'] });
  return { ...service, hint: await service.idToken('a') };
}
