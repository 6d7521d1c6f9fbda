import { describe, expect, it } from 'vitest';
import { parseRoutesFile } from './parse-routes-file.js';

const problemsOf = (value: unknown, allowHosts: readonly string[] = []) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const reading = parseRoutesFile(text, allowHosts);
  return 'problems' in reading ? reading.problems : [];
};

const aRoute = (deviation: object = {}) => ({ path: '/*', scope: '', ...deviation });

const aResource = (deviation: object = {}) => ({
  identifier: 'https://api.example',
  routes: [aRoute()],
  ...deviation,
});

const withRoutes = (...routes: readonly object[]) => ({ resources: [aResource({ routes })] });

describe('a routes file', () => {
  it('describes resources with their routes in order', () => {
    const file = {
      resources: [
        {
          identifier: 'https://api.example/v1',
          hosts: ['API.example', 'localhost:3000'],
          audience: ['orders'],
          base_url: 'https://public.example',
          dpop: 'required',
          name: 'Orders',
          documentation: 'https://docs.example',
          routes: [
            { path: '/health', methods: ['GET'], access: 'public' },
            { path: '/v%31/*', scope: 'a b' },
          ],
        },
        { identifier: 'https://b.example:8443', audience_checked: false, routes: [aRoute()] },
      ],
    };
    expect(parseRoutesFile(JSON.stringify(file), [])).toEqual({
      resources: [
        {
          identifier: 'https://api.example/v1',
          hosts: ['api.example', 'api.example:443', 'localhost:3000'],
          audience: ['orders'],
          baseUrl: 'https://public.example',
          isDpopRequired: true,
          name: 'Orders',
          documentation: 'https://docs.example',
          routes: [
            {
              pattern: { path: '/health', folded: '/health', hasDescendants: false },
              methods: new Set(['GET', 'HEAD']),
              requirement: 'public',
            },
            {
              pattern: { path: '/v1', folded: '/v1', hasDescendants: true },
              methods: undefined,
              requirement: { scope: 'a b' },
            },
          ],
        },
        {
          identifier: 'https://b.example:8443',
          hosts: ['b.example:8443'],
          audience: 'unchecked',
          baseUrl: undefined,
          isDpopRequired: false,
          name: undefined,
          documentation: undefined,
          routes: [
            {
              pattern: { path: '', folded: '', hasDescendants: true },
              methods: undefined,
              requirement: { scope: '' },
            },
          ],
        },
      ],
    });
  });

  it('is refused with the place of every problem of its form', () => {
    const file = {
      resource: [],
      resources: [
        aResource({ identifier: 7, dpop: 'maybe', hosts: [] }),
        { identifier: 'https://b.example', routes: [{ path: '/a', methods: ['get'], scopes: 'x' }, {}] },
      ],
    };
    expect(problemsOf(file).toSorted()).toEqual([
      'resource: is not a known member',
      'resources[0].dpop: must be accepted or required',
      'resources[0].hosts: must not be empty',
      'resources[0].identifier: must be of the type string',
      'resources[1].routes[0].methods[0]: has characters that it must not have',
      'resources[1].routes[0].scopes: is not a known member',
      'resources[1].routes[1].path: is missing',
    ]);
    const many = withRoutes(...Array.from({ length: 50 }, () => ({ path: 7 })));
    expect(problemsOf(many)).toHaveLength(50);
  });

  it('is refused with the place of every value that cannot be used', () => {
    const file = {
      resources: [
        aResource({
          identifier: 'http://api.example',
          base_url: 'urn:x',
          hosts: ['api.example', 'a b'],
          audience: ['x'],
          audience_checked: false,
          routes: [{ path: '/a/../b' }, { path: '/a', access: 'public', scope: 'a' }],
        }),
      ],
    };
    const url = 'must be an https URL; http is for loopback addresses and hosts in EGRESS_ALLOW_HOSTS only';
    const path = 'must be a path, or a path that ends in /*, which every server reads in the same way';
    expect(problemsOf(file)).toEqual([
      `resources[0].identifier: ${url}`,
      'resources[0].base_url: must be an https URL without user name and fragment',
      'resources[0].hosts[1]: must be a host or host:port',
      'resources[0].audience: has no meaning together with "audience_checked": false',
      `resources[0].routes[0].path: ${path}`,
      'resources[0].routes[0].scope: is missing; set "access": "public" for a route without token',
      'resources[0].routes[1].scope: has no meaning on a public route',
    ]);
  });

  it.each([
    ['https://api.example', 'https://api.example/'],
    ['https://api.example', 'https://API.example:443'],
    ['https://api.example', 'https://api.example'],
    ['https://localhost:80', 'http://localhost'],
    ['https://api.example/x', 'https://api.example/x?t=1'],
    ['https://api.example/x?t=1', 'https://api.example/x?t=2'],
  ])('is refused if the metadata of two resources would have one location: %s and %s', (first, second) => {
    const route = (path: string) => ({ routes: [aRoute({ path })] });
    const resources = [
      aResource({ identifier: first, ...route('/a') }),
      aResource({ identifier: second, ...route('/b') }),
    ];
    expect(problemsOf({ resources })).toEqual([
      'resources[1].identifier: has the host and the path of resources[0].identifier, so their metadata would have one location',
    ]);
  });

  it.each(['', '/', 'a', '/a*', '/*/a', '/a/*/b', '/a?b', '/a//*', '/a%2fb', '/a;b', '/a/**'])(
    'is refused with the path %j',
    (path) => {
      const isValid = path === '/';
      expect(problemsOf(withRoutes(aRoute({ path }))).length === 0).toBe(isValid);
    },
  );

  it.each([
    ['text that is no JSON', '{', 'The text is not valid JSON'],
    ['a repeated member', '{"resources":[],"resources":[]}', 'The JSON text repeats a member name'],
    ['a list', [], 'the file: must be of the type object'],
    ['no resource', { resources: [] }, 'resources: must not be empty'],
    ['a scope with quotes', withRoutes(aRoute({ scope: 'a"b' })), /routes\[0\]\.scope: has characters/],
  ])('is refused with %s', (_what, value, problem) => {
    expect(problemsOf(value)).toEqual([
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    ]);
  });

  it('may have resources over http on loopback and allowed hosts', () => {
    const file = (identifier: string) => ({ resources: [aResource({ identifier })] });
    expect(problemsOf(file('http://localhost:3000'))).toEqual([]);
    expect(problemsOf(file('http://api:3000'), ['api:3000'])).toEqual([]);
    expect(problemsOf(file('http://api:3000'))).not.toEqual([]);
  });
});

describe('a route that no request can reach', () => {
  const unreachable = (place: string, taker: string) =>
    `${place}: no request reaches this route: ${taker} before it has its paths`;
  const at = (index: number) => `resources[0].routes[${index}]`;

  it.each([
    ['below another one', [aRoute({ path: '/a/*' }), aRoute({ path: '/a/b' })]],
    ['at the start of another one', [aRoute({ path: '/a/*' }), aRoute({ path: '/a' })]],
    ['that differs in case only', [aRoute({ path: '/a/*' }), aRoute({ path: '/A/b/*' })]],
    ['that differs in a slash at the end only', [aRoute({ path: '/a' }), aRoute({ path: '/a/' })]],
    ['with a method of another one', [aRoute({ methods: ['GET'] }), aRoute({ methods: ['HEAD'] })]],
  ])('is refused: one %s', (_what, routes) => {
    expect(problemsOf(withRoutes(...routes))).toEqual([unreachable(at(1), at(0))]);
  });

  it('is refused if several routes before it have its methods', () => {
    const [get, post] = [aRoute({ methods: ['GET'] }), aRoute({ methods: ['POST'] })];
    const routes = [get, post, aRoute({ path: '/a', methods: ['POST', 'GET'] })];
    expect(problemsOf(withRoutes(...routes))).toEqual([unreachable(at(2), `${at(1)} and ${at(0)}`)]);
  });

  it('is refused if it is that of another resource at the same host', () => {
    const resources = [
      aResource(),
      aResource({ identifier: 'https://api.example/orders', routes: [aRoute({ path: '/orders/*' })] }),
    ];
    expect(problemsOf({ resources })).toEqual([unreachable('resources[1].routes[0]', at(0))]);
    expect(problemsOf({ resources: resources.toReversed() })).toEqual([]);
  });

  it.each([
    ['other methods', [aRoute({ methods: ['GET'] }), aRoute()]],
    ['a method that is left', [aRoute({ methods: ['GET'] }), aRoute({ methods: ['GET', 'POST'] })]],
    ['a name that starts alike', [aRoute({ path: '/a/*' }), aRoute({ path: '/ab' })]],
    ['descendants', [aRoute({ path: '/a' }), aRoute({ path: '/a/*' })]],
  ])('is not one with %s', (_what, routes) => {
    expect(problemsOf(withRoutes(...routes))).toEqual([]);
  });
});
