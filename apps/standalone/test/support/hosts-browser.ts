interface Cookie {
  readonly host: string;
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A page, or a redirect out of the hosts that are followed. */
export interface HostsPage {
  readonly url: URL;
  readonly status: number;
  /** Empty for a redirect. */
  readonly text: string;
}

/** A browser without scripts that goes from host to host, with the cookies of each. */
export type HostsBrowser = ReturnType<typeof openHostsBrowser>;

const MAX_REDIRECTS = 20;

/**
 * Opens a browser.
 * @param hosts those that exist, as `host:port`; a redirect to another one ends a visit
 * @param onRedirect called with each address on the way, and may replace it, as an end-user can
 */
export function openHostsBrowser(hosts: readonly string[], onRedirect = (address: URL): URL => address) {
  let cookies: readonly Cookie[] = [];
  const keep = (host: string, header: string) => {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=', 2);
    const path = attributes.find((text) => /^path=/i.test(text))?.slice('path='.length) ?? '/';
    const others = cookies.filter(
      (cookie) => cookie.host !== host || cookie.name !== name || cookie.path !== path,
    );
    cookies = value === '' ? others : [...others, { host, name, value, path }];
  };
  const request = async (url: URL, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const sent = cookies.filter(
      ({ host, path }) => host === url.host && (path === '/' || `${url.pathname}/`.startsWith(`${path}/`)),
    );
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const header of response.headers.getSetCookie()) keep(url.host, header);
    return response;
  };
  const visit = async (
    address: string | URL,
    form?: Readonly<Record<string, string>>,
  ): Promise<HostsPage> => {
    let url = new URL(address);
    let response = await request(url, form);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const text = await response.text();
      const [, refresh] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? [];
      const location = response.headers.get('location') ?? refresh?.replaceAll('&amp;', '&');
      if (location === undefined) return { url, status: response.status, text };
      url = onRedirect(new URL(location, url));
      if (!hosts.includes(url.host)) return { url, status: response.status, text: '' };
      response = await request(url);
    }
    throw new Error(`too many redirects, the last one to ${url}`);
  };
  return {
    visit,
    /** Deletes the cookies of a host. */
    forget: (host: string) => {
      cookies = cookies.filter((cookie) => cookie.host !== host);
    },
    /** Sends the form of a page to the page itself. */
    submit: ({ url }: HostsPage, form: Readonly<Record<string, string>>) => visit(url, form),
    /** Logs in and consents where a page asks for it, until a page asks for something else or the browser has left. */
    proceed: async (start: HostsPage, name = 'alice'): Promise<HostsPage> => {
      let page = start;
      for (let step = 0; step < 6 && /name="decision"/.test(page.text); step += 1)
        page = await visit(
          page.url,
          page.text.includes('name="password"')
            ? { decision: 'login', username: name, password: name }
            : { decision: 'consent' },
        );
      return page;
    },
  };
}
