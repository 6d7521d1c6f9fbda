/** A response as a browser sees it. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it redirects to, absolute. */
  readonly location: string | undefined;
}

/** A browser with cookies and without scripts, over real connections. */
export type Browser = ReturnType<typeof openBrowser>;

/** Opens a browser. Its cookies belong to origins, so that servers on one host do not see those of others. */
export function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const go = async (
    url: string,
    form?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Page> => {
    const jar = jarOf(url);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { ...(cookie !== '' && { cookie }), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    const location = response.headers.get('location');
    return {
      url,
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? undefined : new URL(location, url).href,
    };
  };
  /** Follows redirects while they stay at these origins. */
  const follow = async (page: Page, ...origins: readonly string[]): Promise<Page> =>
    page.location !== undefined && origins.includes(new URL(page.location).origin)
      ? follow(await go(page.location), ...origins)
      : page;
  return {
    go,
    follow,
    /** The cookies of an origin, by name. */
    cookies: (origin: string): ReadonlyMap<string, string> => jarOf(origin),
    setCookie: (origin: string, name: string, value: string) => void jarOf(origin).set(name, value),
  };
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const isGone = attributes.some(
    (attribute) =>
      /^max-age=0$/i.test(attribute) ||
      (/^expires=/i.test(attribute) && Date.parse(attribute.slice('expires='.length)) < Date.now()),
  );
  if (isGone) jar.delete(name);
  else jar.set(name, pair.slice(pair.indexOf('=') + 1));
}
