import process from 'node:process';

const { BASE_URL, MASTER_TOKEN } = process.env;

/** Registers a client, for a library without registration. Resolves with the registered metadata. */
export async function register(metadata) {
  const response = await fetch(`${BASE_URL}/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  const body = await response.json();
  if (!response.ok) throw Object.assign(new Error('the registration is refused'), body);
  return body;
}
