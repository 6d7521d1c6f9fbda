import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { readLiveToken } from '@vestibule/tokens';
import { describe, expect, it, vi } from 'vitest';
import { buildTestApp, MASTER, NOW } from '../support/build-test-app.js';
import { badRequest, FAULT, MISSING_TOKEN, send } from '../support/calls.js';
import { anImport, importedLines, sendLines } from '../support/imports.js';

const URL_PATH = '/direct-authz/tokens';
/** Responses wait for a second for further ones. */
const PATIENCE = { timeout: 60_000 };

async function createFixture() {
  const service = await buildTestApp();
  const { client_id: id } = await service.register();
  const isActive = async (token: string) =>
    (await readLiveToken({ ...service.deps, ...service.store.database }, token)) !== undefined;
  return { ...service, id, isActive };
}

const refused = (line: number, description: string) => ({
  line,
  error: 'invalid_request',
  error_description: description,
});

describe('each line', () => {
  it('has its own result with its number, and a bad one does not affect the others', async () => {
    const { app, id, isActive } = await createFixture();
    const tokens = Array.from({ length: 4 }, () => anImport(id));
    const [a, b, c, d] = tokens.map((token) => JSON.stringify(token));
    const long = JSON.stringify(anImport(id, { dat: { text: 'x'.repeat(70_000) } }));
    const { status, headers, body } = await sendLines(app, [
      a ?? '',
      '{',
      '',
      ` ${b}\r`,
      '\r',
      JSON.stringify(anImport(id, { exp: NOW })),
      Buffer.concat([Buffer.from(`{"token":"`), Buffer.from([0xff]), Buffer.from(`"}`)]),
      long,
      `${c?.slice(0, -1)},"sub":"bob"}`,
      JSON.stringify(anImport('unknown')),
      '"a\\u0000"',
      c ?? '',
      JSON.stringify(anImport(id, { dat: { a: [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]] } })),
      d ?? '',
    ]);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson']);
    expect(body.endsWith('\n')).toBe(true);
    expect(
      body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { line: 1, result: 'stored' },
      refused(2, 'The line cannot be read: The text is not valid JSON'),
      { line: 4, result: 'stored' },
      refused(6, 'exp: has passed'),
      refused(7, 'The line is not valid UTF-8'),
      refused(8, 'The line must have at most 65536 bytes'),
      refused(9, 'The line cannot be read: The JSON text repeats a member name'),
      refused(10, 'client_id: is not a registered client'),
      refused(
        11,
        'The line cannot be read: A string in the JSON text holds a control character or a broken character',
      ),
      { line: 12, result: 'stored' },
      refused(13, 'The line cannot be read: The JSON text is nested too deeply'),
      { line: 14, result: 'stored' },
    ]);
    for (const { token } of tokens) expect(await isActive(token)).toBe(true);
  });

  it('is imported after those before it, also if they have the same token', async () => {
    const { app, id } = await createFixture();
    const [a, b] = [anImport(id), anImport(id)];
    const problem = 'token: was imported before with other values, which stay';
    expect(
      await importedLines(app, [a, b, a, { ...a, scope: 'write' }, a, { ...b, kind: 'refresh' }]),
    ).toEqual([
      { line: 1, result: 'stored' },
      { line: 2, result: 'stored' },
      { line: 3, result: 'unchanged' },
      refused(4, problem),
      { line: 5, result: 'unchanged' },
      { line: 6, result: 'stored' },
    ]);
  });

  it('of any number is imported', async () => {
    const { app, id, sql } = await createFixture();
    const tokens = Array.from({ length: 5_000 }, () => anImport(id));
    const results = await importedLines(app, tokens);
    expect(results.every(({ line, result }, index) => line === index + 1 && result === 'stored')).toBe(true);
    expect(await sql('SELECT count(*)::int AS count FROM access_token')).toEqual([{ count: 5_000 }]);
  });

  it('is counted by result', async () => {
    const counted: Record<string, number> = {};
    const { app, id, deps } = await createFixture();
    Object.assign(deps, {
      countImports: (result: string, count: number) => {
        counted[result] = (counted[result] ?? 0) + count;
      },
    });
    const entry = anImport(id);
    await importedLines(app, [entry, entry, {}]);
    expect(counted).toEqual({ stored: 1, unchanged: 1, refused: 1 });
  });
});

it('refuses a body without lines', async () => {
  const { app } = await createFixture();
  for (const lines of [[], [''], ['', '\r']])
    expect(await sendLines(app, lines)).toEqual(badRequest('The body is empty'));
});

it('is refused without the master token before the body is read', async () => {
  const { app } = await createFixture();
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await send(app, `POST ${URL_PATH}`, { headers, payload: '{}\n' });
  expect(response).toEqual(MISSING_TOKEN);
});

/** An open request whose body is sent line by line, and the lines that were received. */
async function openExchange(
  fixture: Awaited<ReturnType<typeof createFixture>>,
  headers: Readonly<Record<string, string | number>> = {},
) {
  const { app } = fixture;
  await app.listen({ port: 0, host: '127.0.0.1' });
  const sent = request(`${app.listeningOrigin}${URL_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MASTER}`, 'content-type': 'application/x-ndjson', ...headers },
  });
  sent.on('error', () => undefined);
  const send = (...tokens: readonly unknown[]) =>
    sent.write(tokens.map((token) => `${JSON.stringify(token)}\n`).join(''));
  return { sent, send };
}

async function responseOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = await once(sent, 'response');
  return response;
}

/** Collects the lines of a response. */
function received(response: IncomingMessage) {
  let text = '';
  response.on('data', (data) => {
    text += data;
  });
  response.on('error', () => undefined);
  return () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
}

describe('a request that is still being sent', () => {
  it('gets responses to the lines so far, whose tokens are active, for longer than the time limit of other requests', async () => {
    const fixture = await createFixture();
    const { app, id, isActive } = fixture;
    Object.assign(app.server, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 });
    const timedOut = once(app.server, 'clientError');
    const { sent, send } = await openExchange(fixture);
    const [a, b] = [anImport(id), anImport(id)];
    send(a);
    const lines = received(await responseOf(sent));
    await vi.waitFor(() => expect(lines()).toEqual([{ line: 1, result: 'stored' }]), PATIENCE);
    expect(await isActive(a.token)).toBe(true);
    await timedOut;
    send(b);
    await vi.waitFor(() => expect(lines()).toHaveLength(2), PATIENCE);
    expect(await isActive(b.token)).toBe(true);
    sent.end();
    await once(sent, 'close');
  });

  it('is not read faster than its responses are, so that nothing piles up', async () => {
    const counted = { refused: 0 };
    const fixture = await createFixture();
    Object.assign(fixture.deps, {
      countImports: () => {
        counted.refused += 1;
      },
    });
    const { sent } = await openExchange(fixture, { 'transfer-encoding': 'chunked' });
    const all = 400_000;
    // Each line is shorter than the response to it, which the client does not read.
    sent.end('{}\n'.repeat(all));
    const response = await responseOf(sent);
    let before = -1;
    await vi.waitFor(
      () => {
        const [now, last] = [counted.refused, before];
        before = now;
        expect(now).toBe(last);
      },
      { interval: 500, timeout: 60_000 },
    );
    expect(before).toBeLessThan(all);
    const lines = received(response);
    await once(response, 'end');
    expect(lines()).toHaveLength(all);
    expect(counted.refused).toBe(all);
  });

  // nginx sends no more of a request once its response begins.
  it('with Content-Length has a response only when all of it is processed, also if that is long', async () => {
    const counted = { refused: 0 };
    const fixture = await createFixture();
    Object.assign(fixture.deps, {
      countImports: () => {
        counted.refused += 1;
      },
    });
    const [line, all] = ['{}\n', 40_000];
    const { sent } = await openExchange(fixture, { 'content-length': line.length * (all + 1) });
    let hasResponded = false;
    const response = responseOf(sent).finally(() => {
      hasResponded = true;
    });
    sent.write(line.repeat(all));
    await vi.waitFor(() => expect(counted.refused).toBe(all), { timeout: 60_000 });
    expect(hasResponded).toBe(false);
    sent.end(line);
    const lines = received(await response);
    await once(await response, 'end');
    expect(lines()).toHaveLength(all + 1);
  });

  it('breaks off when the database fails: tokens with a response are stored', async () => {
    const fixture = await createFixture();
    const { id, store, sql } = fixture;
    const { sent, send } = await openExchange(fixture);
    send(anImport(id));
    const response = await responseOf(sent);
    const lines = received(response);
    await vi.waitFor(() => expect(lines()).toHaveLength(1), PATIENCE);
    await store.close();
    send(anImport(id));
    await new Promise((resolve) => response.once('close', resolve));
    expect([response.complete, lines()]).toEqual([false, [{ line: 1, result: 'stored' }]]);
    expect(await sql('SELECT FROM access_token')).toHaveLength(1);
  });

  it('keeps what was stored when the client goes away', async () => {
    const fixture = await createFixture();
    const { app, id, isActive } = fixture;
    const { sent, send } = await openExchange(fixture);
    const entry = anImport(id);
    send(entry);
    sent.write('{"token":"half of');
    await responseOf(sent);
    sent.destroy();
    const [again] = await importedLines(app, [entry]);
    expect(again).toEqual({ line: 1, result: 'unchanged' });
    expect(await isActive(entry.token)).toBe(true);
  });
});

it('responds with 500 if the database is not available from the start', async () => {
  const { app, id, store } = await createFixture();
  await store.close();
  expect(await sendLines(app, [JSON.stringify(anImport(id))])).toEqual(FAULT);
});
