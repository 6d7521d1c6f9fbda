interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

/** A browser without scripts: cookies and redirects. */
export function openWebBrowser(baseUrl: string) {
  let cookies: readonly Cookie[] = [];
  const keep = (header: string) => {
    const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
    const [name = '', value = ''] = pair.split('=', 2);
    const path =
      attributes.find((text) => text.toLowerCase().startsWith('path='))?.slice('path='.length) ?? '/';
    const others = cookies.filter((cookie) => cookie.name !== name || cookie.path !== path);
    cookies = value === '' ? others : [...others, { name, value, path }];
  };
  const go = async (address: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const { href, pathname } = new URL(address, baseUrl);
    const sent = cookies.filter(
      ({ path }) => path === '/' || pathname === path || pathname.startsWith(`${path}/`),
    );
    const response = await fetch(href, {
      redirect: 'manual',
      headers: { cookie: sent.map(({ name, value }) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    response.headers.getSetCookie().forEach(keep);
    return response;
  };
  /** Follows redirects within the server; resolves with the page, or the address elsewhere. */
  const visit = async (address: string, form?: Readonly<Record<string, string>>): Promise<URL | string> => {
    const response = await go(address, form);
    const location = response.headers.get('location');
    if (location === null) return response.text();
    const next = new URL(location, baseUrl);
    return next.origin === new URL(baseUrl).origin ? visit(next.href) : next;
  };
  const interaction = () =>
    cookies.findLast(({ name }) => name.endsWith('vestibule_interaction'))?.value ?? '';
  return {
    visit,
    setCookie: (name: string, value: string) => keep(`${name}=${value}; path=/`),
    /**
     * Logs in and consents when asked.
     * @returns the address at which it ends
     */
    logIn: async (address: string, name = 'alice', password = name): Promise<URL> => {
      let place = await visit(address);
      for (let step = 0; step < 3 && typeof place === 'string'; step += 1) {
        const form = place.includes('name="password"')
          ? { decision: 'login', username: name, password }
          : { decision: 'consent' };
        place = await visit(`/interaction/${interaction()}`, form);
      }
      if (typeof place === 'string') throw new Error(`the browser is stuck: ${place}`);
      return place;
    },
  };
}
