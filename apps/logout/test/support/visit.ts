import type { Server } from '@vestibule/http';
import { expect } from 'vitest';

/** Parameters of a request. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** Options of a visit. */
export interface VisitOptions {
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response as a browser sees it. */
export interface Seen {
  readonly status: number;
  readonly location: string | undefined;
  readonly setCookie: string | undefined;
  readonly policy: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends a browser to the logout page. */
export function visit(app: Server, parameters: Parameters = {}, options: VisitOptions = {}): Promise<Seen> {
  return exchange(app, { method: 'GET', url: `/logout?${encoded(parameters)}` }, options);
}

/** Sends a form to the logout page. */
export function submit(app: Server, parameters: Parameters, options: VisitOptions = {}): Promise<Seen> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
  const request = { method: 'POST', url: '/logout', payload: encoded(parameters) } as const;
  return exchange(app, request, { ...options, headers });
}

/** Posts a decision with all hidden fields of the page. */
export function postDecision(
  app: Server,
  page: Seen,
  decision: 'accept' | 'decline',
  options: VisitOptions = {},
): Promise<Seen> {
  expect(page.status, page.body).toBe(200);
  expect(page.body).toContain('name="confirmation"');
  return submit(app, { ...fieldsOf(page), decision }, options);
}

/** The hidden fields of a page. */
export function fieldsOf({ body }: Pick<Seen, 'body'>): Record<string, string> {
  const fields = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, unescaped(value)]));
}

/** Text as it was before it was put into a page. */
export function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** The title of a page, without the marks around names. */
export function titleOf({ body }: Pick<Seen, 'body'>): string | undefined {
  const [, title] = /<h1>([^<]*)<\/h1>/.exec(body) ?? [];
  return title === undefined ? undefined : unescaped(title).replaceAll(/[\u2068\u2069]/g, '');
}

function encoded(parameters: Parameters): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  return new URLSearchParams(given).toString();
}

async function exchange(
  app: Server,
  request: { readonly method: 'GET' | 'POST'; readonly url: string; readonly payload?: string },
  { cookie, headers = {} }: VisitOptions,
): Promise<Seen> {
  const response = await app.inject({
    ...request,
    headers: { ...headers, ...(cookie !== undefined && { cookie }) },
  });
  const text = (name: string) => {
    const value = response.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    status: response.statusCode,
    location: text('location'),
    setCookie: text('set-cookie'),
    policy: text('content-security-policy'),
    headers: response.headers,
    body: response.body,
  };
}
