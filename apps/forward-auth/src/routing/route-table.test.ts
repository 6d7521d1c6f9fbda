import { describe, expect, it } from 'vitest';
import { parseRoutesFile } from './parse-routes-file.js';
import { routeTable } from './route-table.js';

/** Finds routes of a file; the result is the path and the scope of the route. */
function aTable(resources: readonly object[]) {
  const reading = parseRoutesFile(JSON.stringify({ resources }), []);
  if ('problems' in reading) throw new TypeError(reading.problems.join('\n'));
  const find = routeTable(reading.resources, ({ identifier }) => identifier);
  return (request: string, host = 'api.example') => {
    const [method = '', url = ''] = request.split(' ');
    const match = find({ method, host, url });
    if (match.kind !== 'route') return match.kind;
    const { requirement } = match.entry.route;
    return requirement === 'public' ? 'public' : requirement.scope;
  };
}

const anApi = (...routes: readonly object[]) => [{ identifier: 'https://api.example', routes }];

describe('the route of a request', () => {
  it('is the first one with its path and method', () => {
    const find = aTable(
      anApi(
        { path: '/a', scope: 'exact' },
        { path: '/a/*', methods: ['GET'], scope: 'get' },
        { path: '/a/*', methods: ['POST'], scope: 'post' },
        { path: '/*', scope: 'rest' },
      ),
    );
    expect(find('GET /a')).toBe('exact');
    expect(find('GET /a/b?c')).toBe('get');
    expect(find('HEAD /a/b')).toBe('get');
    expect(find('POST /a/b')).toBe('post');
    expect(find('PUT /a/b')).toBe('rest');
    expect(find('GET /ab')).toBe('rest');
    expect(find('GET /')).toBe('rest');
    expect(find('GET /%61/b')).toBe('get');
    expect(find('OPTIONS /a/b')).toBe('rest');
  });

  it('is missing if none has its path, method or host', () => {
    const find = aTable(anApi({ path: '/a', methods: ['GET'], scope: 'x' }));
    expect(find('GET /b')).toBe('none');
    expect(find('POST /a')).toBe('none');
    expect(find('GET /a', 'other.example')).toBe('none');
    expect(find('GET /a', 'api.example:8443')).toBe('none');
  });

  it.each(['API.EXAMPLE', 'api.example.', 'api.example:443', 'Api.Example.:443'])(
    'is found at %s',
    (host) => {
      const find = aTable(anApi({ path: '/a', scope: 'x' }));
      expect(find('GET /a', host)).toBe('x');
    },
  );

  it('belongs to the host', () => {
    const find = aTable([
      { identifier: 'https://api.example', routes: [{ path: '/*', scope: 'a' }] },
      { identifier: 'https://b.example', routes: [{ path: '/*', scope: 'b' }] },
      {
        identifier: 'https://c.example',
        hosts: ['c.example', 'localhost:3000'],
        routes: [{ path: '/*', scope: 'c' }],
      },
    ]);
    const hosts = ['api.example', 'b.example', 'c.example', 'localhost:3000', 'localhost'];
    expect(hosts.map((host) => find('GET /', host))).toEqual(['a', 'b', 'c', 'c', 'none']);
  });

  it('is ambiguous if a server that ignores case or a slash at the end would find another one', () => {
    const find = aTable(
      anApi(
        { path: '/admin/*', scope: 'admin' },
        { path: '/health', access: 'public' },
        { path: '/*', scope: 'rest' },
      ),
    );
    expect(find('GET /ADMIN/users')).toBe('ambiguous');
    expect(find('GET /Admin')).toBe('ambiguous');
    expect(find('GET /%41dmin/users')).toBe('ambiguous');
    expect(find('GET /health/')).toBe('ambiguous');
    expect(find('GET /Orders/')).toBe('rest');
    expect(find('GET /admin/Users/')).toBe('admin');
  });

  it.each(['get /a', 'G%45T /a', ' /a', 'GET a', 'GET //a', 'GET /a/../b'])('is ambiguous: %j', (request) => {
    expect(aTable(anApi({ path: '/*', access: 'public' }))(request)).toBe('ambiguous');
  });

  it.each(['', 'a b', 'api.example, api.example', 'api.example:'])('is ambiguous at the host %j', (host) => {
    expect(aTable(anApi({ path: '/*', access: 'public' }))('GET /a', host)).toBe('ambiguous');
  });
});
