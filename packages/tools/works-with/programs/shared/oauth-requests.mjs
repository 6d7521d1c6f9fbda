import process from 'node:process';

const { BASE_URL, MASTER_TOKEN, STACK_PORT } = process.env;

/** Sends a form. Resolves with the status and the JSON of the response. */
export async function postForm(url, fields, { id, secret } = {}) {
  const authorization = id && `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: authorization === undefined ? {} : { authorization },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, ...parsed(await response.text()) };
}

/** Sends JSON with the master token to the stack. */
export async function postStack(path, body, method = 'POST') {
  const response = await fetch(`http://127.0.0.1:${STACK_PORT}${path}`, {
    method,
    headers: { authorization: `Bearer ${MASTER_TOKEN}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return parsed(text);
}

/** Introspects a token at the gateway as a resource server. */
export function introspect(token, { client_id: id, client_secret: secret }) {
  return postForm(`${BASE_URL}/token/introspect`, { token }, { id, secret });
}

/** The header and the claims of a JWT. */
export function decoded(token) {
  const [header, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url')));
  return { header, claims };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? {} : { text };
  }
}
