import process from 'node:process';

const { BASE_URL, MASTER_TOKEN } = process.env;

/** Registers a client with the master token. */
export function register(metadata) {
  return post(`${BASE_URL}/clients`, metadata);
}

/** Issues an access token, as the operator's server would after a sign-in. */
export async function issueToken(members) {
  return (await post(`${BASE_URL}/direct-authz`, members)).access_token;
}

export function revokeToken(token) {
  return post(`${BASE_URL}/direct-authz/revoke`, { token });
}

async function post(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${MASTER_TOKEN}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
