import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { basicAuthorization } from '../load/raw-request.js';
import { ROOT } from '../test-environment/root.js';
import { API_PATH, SUBJECT_HEADER, type TokenRequirements } from './api-configuration.js';
import { BODY_FILE, type RunningWebServer, startWebServer } from './web-server.js';

/** An API of nginx, as a static file. */
export interface NginxApi {
  readonly requirements: TokenRequirements;
  readonly body: string;
  /** How long introspection responses are cached; 0 for not at all. */
  readonly cacheSeconds: number;
  /** The command prefix that runs it on a separate core. */
  readonly prefix: readonly string[];
}

/** nginx with the module njs, as Debian packages them. */
export const NGINX_FILES = ['/usr/sbin/nginx', '/usr/lib/nginx/modules/ngx_http_js_module.so'] as const;

const [PROGRAM, NJS] = NGINX_FILES;
/** The script that the guide for resource servers shows. */
const SCRIPT = join(ROOT, 'packages', 'tools', 'works-with', 'programs', 'nginx-njs', 'bearer.js');

/** Starts nginx as a single process whose `auth_request` asks a script of njs, which introspects. */
export function startNginxApi(api: NginxApi): Promise<RunningWebServer> {
  return startWebServer({
    name: 'nginx',
    body: api.body,
    files: (folder, port) => ({
      'bearer.js': readFileSync(SCRIPT, 'utf8'),
      'nginx.conf': configurationOf(api, join(folder, BODY_FILE), port),
    }),
    command: (folder) => [PROGRAM, '-p', folder, '-c', 'nginx.conf', '-g', 'daemon off; master_process off;'],
    prefix: api.prefix,
  });
}

function configurationOf({ requirements, cacheSeconds }: NginxApi, bodyFile: string, port: number): string {
  const { introspectionEndpoint, clientId, clientSecret, audience, scope } = requirements;
  const { host, pathname } = new URL(introspectionEndpoint);
  const { authorization } = basicAuthorization(clientId, clientSecret);
  return `
load_module ${NJS};
pid nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=10 inactive=1h;
  # A connection must last as long as the load.
  keepalive_requests 1000000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  proxy_cache_path cache levels=1:2 keys_zone=responses:20m use_temp_path=off;
  js_import bearer from bearer.js;
  upstream introspection { server ${host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location = ${API_PATH} {
      set $required_scope ${scope};
      set $audience ${audience};
      set $subject '';
      set $challenge '';
      auth_request /_authorize;
      add_header WWW-Authenticate $challenge always;
      add_header ${SUBJECT_HEADER} $subject;
      default_type application/json;
      alias ${bodyFile};
    }
    location = /_authorize { internal; js_content bearer.authorize; }
    location = /_introspect {
      internal;
      proxy_pass_request_headers off;
      proxy_set_header Host ${host};
      proxy_set_header Authorization '${authorization}';
      proxy_set_header Content-Type application/x-www-form-urlencoded;
      proxy_set_header Connection '';
      proxy_http_version 1.1;
      proxy_pass http://introspection${pathname};
      ${cacheSeconds === 0 ? '' : cacheLines(cacheSeconds)}
    }
  }
}
`;
}

function cacheLines(seconds: number): string {
  return `
      proxy_cache responses;
      proxy_cache_methods POST;
      proxy_cache_key $http_authorization;
      proxy_cache_valid 200 ${seconds}s;
      proxy_cache_lock on;
      proxy_ignore_headers Cache-Control Expires Set-Cookie Vary;`;
}
