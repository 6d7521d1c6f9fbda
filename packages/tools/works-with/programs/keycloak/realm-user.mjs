import process from 'node:process';
import { openFormBrowser } from './form-browser.mjs';
import { decoded, introspect, postForm, postStack } from './oauth-requests.mjs';
import { ensure } from './report.mjs';

const { BASE_URL, PORT } = process.env;

/** Where the browser ends: nothing listens there. */
export const CALLBACK = `http://localhost:${PORT}/callback`;
/** The client of the realm. */
export const WEB = { id: 'web', secret: 'web-secret-of-at-least-32-characters' };
export const KEYCLOAK_ENDPOINT = `${BASE_URL}/protocol/openid-connect`;

const browser = openFormBrowser(CALLBACK);

/** Signs in as ada, and resolves with the tokens of the client. */
export async function signIn({ scope = 'openid orders', client = WEB } = {}) {
  const query = new URLSearchParams({
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    state: 'a',
  });
  let page = await browser.open(`${KEYCLOAK_ENDPOINT}/auth?${query}`);
  if (!page.url.href.startsWith(CALLBACK))
    page = await browser.submit(page, { username: 'ada', password: 'lovelace', credentialId: '' });
  const code = page.url.searchParams.get('code');
  ensure(code !== null, `there is no code at ${page.url}: ${page.text.slice(0, 500)}`);
  return request({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK }, client);
}

/** A request to Keycloak's token endpoint. */
export async function request(fields, client = WEB) {
  const tokens = await postForm(`${KEYCLOAK_ENDPOINT}/token`, fields, client);
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
    resource_identifiers: ['https://orders.example'],
  });
  return orders;
}

export async function ensureActive(token) {
  const response = await introspect(token, await ordersApi());
  ensure(response.active === true, `${JSON.stringify(response)} for ${JSON.stringify(decoded(token))}`);
  return response;
}

export async function isInactive(token) {
  const response = await introspect(token, await ordersApi());
  ensure(response.status === 200, JSON.stringify(response));
  return response.active === false;
}

export async function ensureInactive(token) {
  ensure(await isInactive(token), `active: ${JSON.stringify(decoded(token))}`);
}
