import { expect, it } from 'vitest';
import { introspect, registerResourceServer } from './support/api.js';
import { registerPublished, runCodeFlow } from './support/code-flow.js';
import { twoInstances } from './support/two-instances.js';
import { openWebBrowser } from './support/web-browser.js';

/** The hidden fields of a logout page. */
function fieldsOf(page: URL | string): Record<string, string> {
  const fields = String(page).matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

it('revokes the tokens of both formats of the requesting client alone, with and without a registered sid, on every instance', async () => {
  const { stack, instances } = await twoInstances();
  const resourceServer = await registerResourceServer(stack);
  const resource = `${stack.issuer}/clients/${resourceServer.id}`;
  const members = { scope: 'openid email read', grant_types: ['authorization_code'] };
  const clients = {
    plain: await registerPublished(stack, members),
    bySid: await registerPublished(stack, {
      ...members,
      backchannel_logout_uri: 'https://app.example/backchannel',
      backchannel_logout_session_required: true,
    }),
    other: await registerPublished(stack, members),
  };
  const browser = openWebBrowser(stack.baseUrl);
  const logIn = async (name: keyof typeof clients) => {
    const identifier = await runCodeFlow(clients[name], { browser });
    const jwt = await runCodeFlow(clients[name], { browser, parameters: { resource } });
    expect(jwt.access_token.split('.')).toHaveLength(3);
    return { hint: String(jwt.id_token), tokens: [identifier.access_token, jwt.access_token] };
  };
  const logins = { plain: await logIn('plain'), bySid: await logIn('bySid'), other: await logIn('other') };
  const addresses = instances.map(({ port }) => ({ baseUrl: `http://127.0.0.1:${port}` }));
  /** Whether the tokens of each client are active at each instance. */
  const active = () =>
    Promise.all(
      addresses.map(async (instance) =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(logins).map(async ([name, { tokens }]) => [
              name,
              await Promise.all(
                tokens.map(async (token) => (await introspect(instance, resourceServer, { token })).active),
              ),
            ]),
          ),
        ),
      ),
    );
  const [alive, ended] = [
    [true, true],
    [false, false],
  ];
  expect(await active()).toEqual(instances.map(() => ({ plain: alive, bySid: alive, other: alive })));
  const decline = async (hint: string) => {
    const page = await browser.visit(`/logout?${new URLSearchParams({ id_token_hint: hint })}`);
    return browser.visit('/logout', { ...fieldsOf(page), decision: 'decline' });
  };
  expect(await decline(logins.plain.hint)).toContain('Only your login to');
  await expect.poll(active).toEqual(instances.map(() => ({ plain: ended, bySid: alive, other: alive })));
  expect(await decline(logins.bySid.hint)).toContain('Only your login to');
  await expect.poll(active).toEqual(instances.map(() => ({ plain: ended, bySid: ended, other: alive })));
});
