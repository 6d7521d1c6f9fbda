import process from 'node:process';
import { openFormBrowser } from './form-browser.mjs';
import { decoded, introspect, postForm, postStack } from './oauth-requests.mjs';
import { ensure } from './report.mjs';

const { BASE_URL, PORT } = process.env;

/** Where the browser ends: nothing listens there. */
export const CALLBACK = `http://localhost:${PORT}/callback`;
export const AUDIENCE = 'https://orders.example';
const browser = openFormBrowser(CALLBACK);

/** Signs in as ada unless the browser has a session, and resolves with the tokens and the pages on the way. */
export async function signIn(client, scope = 'openid offline_access orders') {
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    audience: AUDIENCE,
    state: 'a-state-of-the-app',
  });
  let page = await browser.open(`${BASE_URL}/oauth2/auth?${query}`);
  const isAsked = !page.url.href.startsWith(CALLBACK);
  if (isAsked) page = await browser.submit(page, { name: 'ada', password: 'lovelace' });
  const code = page.url.searchParams.get('code');
  ensure(code !== null, `there is no code at ${page.url}: ${page.text.slice(0, 500)}`);
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  return { ...(await request(fields, client)), isAsked };
}

/** A request to Hydra's token endpoint, behind the gateway. */
export async function request(fields, client) {
  const tokens = await postForm(`${BASE_URL}/oauth2/token`, fields, client);
  ensure(tokens.status === 200, `the token endpoint responds ${JSON.stringify(tokens)}`);
  return tokens;
}

export const openPage = (url) => browser.open(url);
export const submitPage = (page, fields) => browser.submit(page, fields);
export const forgetCookies = () => browser.forget();

let orders;

/** The resource server, registered with Vestibule. */
export async function ordersApi() {
  orders ??= await postStack('/clients', {
    client_name: 'Orders API',
    grant_types: ['client_credentials'],
    scope: `${BASE_URL}/token/introspect`,
    resource_identifiers: [AUDIENCE],
  });
  return orders;
}

export async function ensureActive(token) {
  const response = await introspect(token, await ordersApi());
  ensure(response.active === true, `${JSON.stringify(response)} for ${shown(token)}`);
  return response;
}

export async function ensureInactive(token) {
  const response = await introspect(token, await ordersApi());
  ensure(
    response.status === 200 && response.active === false,
    `${JSON.stringify(response)} for ${shown(token)}`,
  );
}

const shown = (token) => (token.split('.').length === 3 ? JSON.stringify(decoded(token)) : 'an opaque token');
