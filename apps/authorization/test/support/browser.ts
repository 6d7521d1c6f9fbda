import type { Server } from '@vestibule/http';
import type { LightMyRequestResponse } from 'fastify';

/** A response as a browser sees it. */
export interface Page {
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: LightMyRequestResponse['headers'];
  readonly body: string;
}

/** A browser with cookies and without scripts. */
export type Browser = ReturnType<typeof openBrowser>;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** Opens a browser that sends these headers with every request. */
export function openBrowser(app: Server, always: Readonly<Record<string, string>> = {}) {
  let cookies: readonly Cookie[] = [];
  const keep = (cookie: Cookie, isGone: boolean) => {
    const others = cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    cookies = isGone ? others : [...others, cookie];
  };
  const go = async (address: string, form?: Readonly<Record<string, string>>): Promise<Page> => {
    const { pathname, search } = new URL(address, 'http://here');
    const sent = cookies.filter(
      ({ path }) => path === '/' || pathname === path || pathname.startsWith(`${path}/`),
    );
    const response = await app.inject({
      method: form === undefined ? 'GET' : 'POST',
      url: pathname + search,
      headers: {
        ...always,
        ...(sent.length > 0 && { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { payload: new URLSearchParams(form).toString() }),
    });
    for (const { name, value, path = '/', expires } of response.cookies)
      keep({ name, value, path }, value === '' || (expires !== undefined && expires.getTime() < Date.now()));
    const { location } = response.headers;
    return {
      status: response.statusCode,
      location: typeof location === 'string' ? location : undefined,
      headers: response.headers,
      body: response.body,
    };
  };
  /** Follows redirects as long as they stay at the server. */
  const follow = async (page: Page, base: string): Promise<Page> =>
    page.location?.startsWith(base) || page.location?.startsWith('/')
      ? follow(await go(page.location), base)
      : page;
  return {
    go,
    follow,
    cookies: () => cookies,
    setCookie: (name: string, value: string) => keep({ name, value, path: '/' }, false),
  };
}
