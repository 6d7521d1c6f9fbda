import process from 'node:process';

const { KEYCLOAK = 'http://localhost:8180', KEYCLOAK_REALM = 'shop' } = process.env;
const { VESTIBULE_URL = 'http://localhost:8080', MASTER_TOKEN } = process.env;
const { KEYCLOAK_ADMIN = 'admin', KEYCLOAK_ADMIN_PASSWORD = 'admin' } = process.env;

/** A request to Keycloak's admin API below the realm. Resolves with its JSON, or with nothing for 404 and empty bodies. */
export async function keycloak(method, path, body) {
  const response = await fetch(`${KEYCLOAK}/admin/realms/${KEYCLOAK_REALM}${path}`, {
    method,
    headers: { authorization: `Bearer ${await adminToken()}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`Keycloak: ${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

let token;

async function adminToken() {
  if (token === undefined || token.until < Date.now()) {
    const response = await fetch(`${KEYCLOAK}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'admin-cli',
        username: KEYCLOAK_ADMIN,
        password: KEYCLOAK_ADMIN_PASSWORD,
      }),
    });
    if (!response.ok) throw new Error(`Keycloak refuses the login of the administrator: ${response.status}`);
    const { access_token, expires_in } = await response.json();
    token = { text: access_token, until: Date.now() + (expires_in / 2) * 1000 };
  }
  return token.text;
}

/** A request with the master token. Resolves with its JSON, or with nothing for 404 and empty bodies. */
export async function vestibule(method, path, body) {
  const response = await fetch(`${VESTIBULE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${MASTER_TOKEN}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`Vestibule: ${method} ${path}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
