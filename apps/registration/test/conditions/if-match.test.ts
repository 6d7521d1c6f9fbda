import { expect, it } from 'vitest';
import { buildTestApp, MASTER } from '../support/build-test-app.js';
import {
  badRequest,
  INVALID_TOKEN,
  information,
  NO_CONTENT,
  NO_STORE,
  NOT_FOUND,
  pathOf,
  registered,
  type Seen,
  send,
  tagOf,
} from '../support/calls.js';

const CHANGED: Seen = { status: 412, headers: NO_STORE, body: '' };
const BODY = { redirect_uris: ['https://app.example/cb'] };

/** A registered client, with the dependencies of changes. */
async function aClient() {
  const test = await buildTestApp();
  const response = await send(test.app, 'POST /clients', { token: MASTER, body: BODY });
  const { client_id: id, registration_access_token: token } = information(response);
  const change = (method: string, condition: string, bearer = token) =>
    send(test.app, `${method} ${pathOf(id)}`, {
      token: bearer,
      headers: { 'if-match': condition },
      ...(method === 'PUT' && { body: { ...BODY, client_id: id } }),
    });
  return { ...test, id, token, tag: tagOf(response), change };
}

it('sends the same tag for POST, GET and PUT and for every reader, and a new one after every change', async () => {
  const { app, id, token, tag, change } = await aClient();
  for (const bearer of [token, MASTER])
    expect(tagOf(await send(app, `GET ${pathOf(id)}`, { token: bearer }))).toBe(tag);
  const updated = await change('PUT', tag);
  expect(tagOf(updated)).not.toBe(tag);
  const { registration_access_token: next } = information(updated);
  expect(tagOf(await send(app, `GET ${pathOf(id)}`, { token: next }))).toBe(tagOf(updated));
});

it('sends different tags for two clients with the same requested metadata', async () => {
  const { app } = await buildTestApp();
  const body = { ...BODY, preferred_client_id: 'again', preferred_client_secret: 's'.repeat(43) };
  const first = tagOf(await send(app, 'POST /clients', { token: MASTER, body }));
  await send(app, `DELETE ${pathOf('again')}`, { token: MASTER });
  expect(tagOf(await send(app, 'POST /clients', { token: MASTER, body }))).not.toBe(first);
});

it('refuses with 412 and changes nothing if no strong tag of the condition is the current one', async () => {
  const { stored, id, tag, change } = await aClient();
  const before = await stored(id);
  const stale = [
    '"x"',
    `W/${tag}`,
    `W/${tag}, "x"`,
    tag.slice(1),
    `${tag}x`,
    '',
    'x',
    `${tag.toLowerCase()}, "y"`,
    '"*"',
  ];
  for (const condition of stale) {
    expect(await change('PUT', condition), condition).toEqual(CHANGED);
    expect(await change('DELETE', condition), condition).toEqual(CHANGED);
  }
  expect(await stored(id)).toEqual(before);
});

it('continues if one of them is, or any tag is accepted', async () => {
  for (const form of [(tag: string) => tag, (tag: string) => `"x", ${tag} ,W/"y"`, () => '*']) {
    const { tag, change } = await aClient();
    const updated = await change('PUT', form(tag));
    const { registration_access_token: next } = information(updated);
    expect(await change('DELETE', tag, next)).toEqual(CHANGED);
    expect(await change('DELETE', form(tagOf(updated)), next)).toEqual(NO_CONTENT);
  }
});

it('checks the condition after the token and before the body', async () => {
  const { app, id, token, change } = await aClient();
  const foreign = await registered(app);
  expect(await change('PUT', '"x"', foreign.registration_access_token)).toEqual(INVALID_TOKEN);
  for (const method of ['PUT', 'DELETE'])
    for (const [bearer, response] of [
      [token, INVALID_TOKEN],
      [MASTER, NOT_FOUND],
    ] as const) {
      const call = { token: bearer, headers: { 'if-match': '*' }, ...(method === 'PUT' && { body: BODY }) };
      expect(await send(app, `${method} ${pathOf('unknown')}`, call)).toEqual(response);
    }
  const call = { token, headers: { 'if-match': '"x"' } };
  expect(await send(app, `PUT ${pathOf(id)}`, { ...call, body: {} })).toEqual(CHANGED);
  expect(await send(app, `PUT ${pathOf(id)}`, { ...call, payload: '{' })).toEqual(
    badRequest('invalid_request', 'The text is not valid JSON'),
  );
});

it('accepts exactly one of parallel changes of the same version, over two instances', async () => {
  const { app, anotherInstance, id, tag, token } = await aClient();
  const { app: other } = await anotherInstance();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send(index % 2 === 0 ? app : other, `PUT ${pathOf(id)}`, {
        token: index % 3 === 0 ? MASTER : token,
        headers: { 'if-match': tag },
        body: { ...BODY, client_id: id },
      }),
    ),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(
    responses.filter(({ status }) => status !== 200).every(({ status }) => status === 412 || status === 401),
  ).toBe(true);
});

it('responds with 412 to a read with a tag that is not the current one', async () => {
  const { app, id, token, tag } = await aClient();
  const read = (headers: Record<string, string>) => send(app, `GET ${pathOf(id)}`, { token, headers });
  for (const condition of ['"x"', `W/${tag}`, '', 'x']) {
    expect(await read({ 'if-match': condition }), condition).toEqual(CHANGED);
    expect(await read({ 'if-match': condition, 'if-none-match': tag }), condition).toEqual(CHANGED);
  }
  for (const condition of [tag, `"x", ${tag}`, '*']) {
    information(await read({ 'if-match': condition }));
    expect(await read({ 'if-match': condition, 'if-none-match': tag })).toMatchObject({ status: 304 });
  }
});

it('treats a repeated update as a change of the version that was read, and accepts the tag read with the previous token', async () => {
  const { app, id, token, tag, change } = await aClient();
  information(await change('PUT', tag));
  expect(await change('PUT', tag)).toEqual(CHANGED);
  const read = await send(app, `GET ${pathOf(id)}`, { token });
  information(await change('PUT', tagOf(read)));
});
