import process from 'node:process';

const {
  HYDRA_ADMIN = 'http://127.0.0.1:4445',
  VESTIBULE_URL = 'http://127.0.0.1:8080',
  MASTER_TOKEN,
} = process.env;

/** A request to Hydra's admin API. Resolves with its JSON, or with nothing for 404 and empty bodies. */
export const hydra = (method, path, body) => send(HYDRA_ADMIN + path, method, body);

/** A request to Vestibule with the master token, likewise. */
export const vestibule = (method, path, body) =>
  send(VESTIBULE_URL + path, method, body, { authorization: `Bearer ${MASTER_TOKEN}` });

async function send(url, method, body, headers) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok)
    throw Object.assign(new Error(`${method} ${url}: ${response.status} ${text}`), {
      status: response.status,
    });
  return text === '' ? undefined : JSON.parse(text);
}
