// A client of the stream of changes, by the rules of ../stream-of-changes.md alone, without a dependency.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const [MAX_AGE_MS, FALLBACK_MS, TIMEOUT_MS, PAUSE_MS, MAX_PAUSE_MS] = [1_000, 5_000, 2_000, 500, 5_000];
const [MAX_RESPONSES, MAX_TAGS, MAX_EVENT_CHARACTERS] = [10_000, 20_000, 1_000_000];

/** Checks access tokens. Where `check` throws, nothing is known about the token: respond 503 with `Retry-After`. */
export function createTokenChecker({ issuer, clientId, clientSecret }) {
  const authorization = `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}`;
  const kept = new KeptResponses();
  const closed = new AbortController();
  // On the monotonic clock, and on the wall clock, which goes on while the machine sleeps.
  let watermark = { monotonic: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
  const age = () => Math.max(performance.now() - watermark.monotonic, Date.now() - watermark.wall);

  async function request(path, { headers, ...init }) {
    const response = await fetch(issuer + path, { headers: { authorization, ...headers }, ...init });
    const { status } = response;
    if (status !== 200) throw Object.assign(new Error(`${path} responded with status ${status}`), { status });
    return response;
  }

  async function introspect(token) {
    const sent = performance.now();
    const headers = { accept: 'application/json', prefer: 'cache-tags' };
    const form = { method: 'POST', body: new URLSearchParams({ token }) };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await request('/token/introspect', { ...form, headers, signal });
    const members = await response.json();
    kept.replace(token, members, response.headers, sent);
    return members;
  }

  async function check(token) {
    const current = age() < MAX_AGE_MS ? kept.find(token) : undefined;
    if (current !== undefined) return current;
    try {
      return await introspect(token);
    } catch (error) {
      const fallback = !(error.status < 500) && age() <= FALLBACK_MS ? kept.find(token) : undefined;
      if (fallback === undefined) throw error;
      return fallback;
    }
  }

  function advance(sent, passed) {
    const [monotonic, wall] = [sent.monotonic + passed, sent.wall + passed];
    if (monotonic > watermark.monotonic) watermark = { monotonic, wall };
    return age() < MAX_AGE_MS;
  }

  async function readStream(silence, signal) {
    const sent = { monotonic: performance.now(), wall: Date.now() };
    const headers = kept.lastId && { 'last-event-id': kept.lastId };
    const response = await request('/token/changes', { headers, signal });
    let opened;
    for await (const { event, data, id } of readEvents(response)) {
      if (event === 'open') opened = data.time;
      else if (kept.apply(event, data, id) && advance(sent, data.time - opened)) silence.refresh();
    }
  }

  async function follow() {
    for (let pause = PAUSE_MS; !closed.signal.aborted; ) {
      const before = watermark;
      const connection = new AbortController();
      const silence = setTimeout(() => connection.abort(), TIMEOUT_MS);
      const signal = AbortSignal.any([closed.signal, connection.signal]);
      await readStream(silence, signal).catch(() => undefined);
      clearTimeout(silence);
      connection.abort();
      pause = watermark === before ? Math.min(2 * pause, MAX_PAUSE_MS) : PAUSE_MS;
      const length = pause * (0.5 + Math.random() / 2);
      await sleep(length, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  }

  const following = follow();
  return { check, close: () => closed.abort() ?? following };
}

class KeptResponses {
  lastId;
  #floor = 0n;
  #responses = new Map(); // digest of the token -> { body, epoch, number, tags, end }
  #changes = new Map(); // tag -> greatest `at` of the events with this tag

  /** Keeps the response instead of an earlier one for the token, if it may be kept at all. */
  replace(token, body, headers, sent) {
    this.#responses.delete(digest(token));
    const [epoch, number] = split(headers.get('stream-position'));
    if (!body.active || epoch === undefined) return;
    const tags = headers.get('cache-tags').split(/\s*,\s*/);
    const [, maxAge = 0] = /^max-age=(\d+)$/.exec(headers.get('token-cache-control')) ?? [];
    const response = { body, epoch, number: BigInt(number), tags, end: sent + maxAge * 1_000 };
    if (this.#isUsable(response)) this.#responses.set(digest(token), response);
    if (this.#responses.size > MAX_RESPONSES) this.#responses.delete(this.#responses.keys().next().value);
  }

  find(token) {
    const response = this.#responses.get(digest(token));
    return response !== undefined && this.#isUsable(response) ? response.body : undefined;
  }

  /** Applies an event. Returns whether it may advance the watermark. */
  apply(event, { tags, at }, id) {
    if (event === 'reset') {
      this.#responses.clear();
      this.#changes.clear();
      this.#floor = BigInt(at);
    } else if (event === 'invalidate') this.#remember(tags, BigInt(at));
    else if (event !== 'heartbeat') return false;
    this.lastId = id;
    return true;
  }

  // An event discards nothing at once: the responses that it concerns are unusable from then on.
  #isUsable({ body, epoch, number, tags, end }) {
    if (performance.now() >= end || body.exp * 1_000 <= Date.now()) return false;
    if (epoch !== split(this.lastId)[0] || number <= this.#floor) return false;
    return !tags.some((tag) => this.#changes.get(tag) >= number);
  }

  #remember(tags, at) {
    for (const tag of tags) if (!(this.#changes.get(tag) > at)) this.#changes.set(tag, at);
    for (const [tag, forgotten] of this.#changes) {
      if (this.#changes.size <= MAX_TAGS) return;
      this.#changes.delete(tag);
      if (forgotten > this.#floor) this.#floor = forgotten;
    }
  }
}

async function* readEvents({ body }) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop();
    if (text.length > MAX_EVENT_CHARACTERS) throw new Error('the event is too large');
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/)));
      if (fields.event !== undefined) yield { ...fields, data: JSON.parse(fields.data) };
    }
  }
}

const digest = (token) => createHash('sha256').update(token).digest('base64');
const split = (position) => /^(.+)[.](\d+)$/.exec(position ?? '')?.slice(1) ?? [];
