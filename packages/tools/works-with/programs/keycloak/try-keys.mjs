import process from 'node:process';
import { until } from './joined-server.mjs';
import * as realm from './realm-user.mjs';
import { step } from './report.mjs';

const NEW_KEY_MS = 30_000;
const WITHDRAWN_MS = 90_000;

/** A rotation of Keycloak's keys. */
export async function tryKeys() {
  const { keycloak } = await import('./run/requests.mjs');
  const type = 'org.keycloak.keys.KeyProvider';
  const [earlier] = (await keycloak('GET', `/components?type=${type}`)).filter(
    ({ providerId }) => providerId === 'rsa-generated',
  );
  const before = await realm.signIn();

  await step('rotate keys, introspect old and new', async () => {
    await keycloak('POST', '/components', {
      name: 'rsa-next',
      providerId: 'rsa-generated',
      providerType: type,
      config: { priority: ['200'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
    });
    const begin = Date.now();
    const { access_token } = await realm.signIn();
    await until('the new key', async () => !(await realm.isInactive(access_token)), NEW_KEY_MS);
    process.stderr.write(`new key after ${Date.now() - begin} ms\n`);
    await realm.ensureActive(before.access_token);
  });

  await step('withdraw the old key', async () => {
    const begin = Date.now();
    await keycloak('PUT', `/components/${earlier.id}`, {
      ...earlier,
      config: { ...earlier.config, enabled: ['false'], active: ['false'] },
    });
    await until('the old key', () => realm.isInactive(before.access_token), WITHDRAWN_MS);
    process.stderr.write(`old key after ${Date.now() - begin} ms\n`);
  });
}
