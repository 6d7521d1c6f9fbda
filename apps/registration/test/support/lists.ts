import { expect } from 'vitest';
import { ISSUER, MASTER } from './build-test-app.js';
import { type Seen, send } from './calls.js';

type App = Parameters<typeof send>[0];

/** Requests a list as the operator; the query begins with its question mark. */
export function list(app: App, query: string): Promise<Seen> {
  return send(app, `GET /clients${query}`, { token: MASTER });
}

/** The identifiers of a list, in its order. */
export function idsOf({ status, body }: Seen): string[] {
  expect(status, body).toBe(200);
  return JSON.parse(body).map(({ client_id }: { client_id: string }) => client_id);
}

/** The query of the link to the next page. */
export function nextOf({ headers }: Seen): string | undefined {
  const link = headers['link'];
  if (link === undefined) return undefined;
  const address = /^<([^>]+)>; rel="next"$/.exec(String(link))?.[1] ?? '';
  expect(address.startsWith(`${ISSUER}/clients?`)).toBe(true);
  return new URL(address).search;
}

/** The identifiers page by page, following the links to the end. */
export async function follow(app: App, query: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = query; next !== undefined; ) {
    const response: Seen = await list(app, next);
    pages.push(idsOf(response));
    next = nextOf(response);
  }
  return pages;
}
