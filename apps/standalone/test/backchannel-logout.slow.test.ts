import { freePort } from '@vestibule/local-services';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { send } from './support/api.js';
import { startExpressApplication } from './support/express-application.js';
import { type Standalone, startStandalone, temporaryFolder } from './support/standalone-process.js';
import { openWebBrowser } from './support/web-browser.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stack: Standalone;
let ports: readonly [number, number];

beforeAll(async () => {
  folder = await temporaryFolder();
  ports = [await freePort(), await freePort()];
  stack = await startStandalone(folder.path, {
    EGRESS_ALLOW_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join(','),
  });
});

afterAll(async () => {
  await stack.stop();
  await folder.remove();
});

/** An application on a port, registered for back-channel logout, with additional members. */
async function anApplication(port: number, members: object = {}) {
  const { text } = await send(`${stack.baseUrl}/clients`, 'POST', stack.masterToken, {
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid',
    backchannel_logout_uri: `http://127.0.0.1:${port}/backchannel-logout`,
    ...members,
  });
  const { client_id: clientId, client_secret: clientSecret } = JSON.parse(text);
  const application = await startExpressApplication({ port, issuer: stack.issuer, clientId, clientSecret });
  onTestFinished(application.close);
  return { ...application, clientId: String(clientId) };
}

const deliveriesOf = async (clientId: string) => {
  const address = `${stack.baseUrl}/logout/deliveries?client_id=${clientId}`;
  return JSON.parse((await send(address, 'GET', stack.masterToken)).text);
};

it('express-openid-connect accepts our logout tokens and ends its sessions, by session and by end-user', async () => {
  const bySession = await anApplication(ports[0], { backchannel_logout_session_required: true });
  const byUser = await anApplication(ports[1]);
  const browser = openWebBrowser(stack.baseUrl);
  for (const application of [bySession, byUser]) {
    await application.finish(await browser.logIn(await application.begin()));
    expect(await application.claims()).toMatchObject({ sub: 'alice', iss: stack.issuer });
  }
  const sid = String((await bySession.claims())?.['sid']);
  expect(await byUser.claims()).not.toHaveProperty('sid');
  const ended = await send(`${stack.baseUrl}/direct-authz/sessions/${sid}`, 'DELETE', stack.masterToken);
  expect(ended.status).toBe(204);
  for (const application of [bySession, byUser]) {
    await expect.poll(application.claims, { timeout: 60_000 }).toBeUndefined();
    await expect
      .poll(() => deliveriesOf(application.clientId))
      .toMatchObject([{ state: 'delivered', attempts: 1, last_status: 204 }]);
  }
});
