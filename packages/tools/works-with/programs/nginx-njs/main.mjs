// Puts nginx in front of an API. auth_request asks a script of njs, which introspects.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { AUDIENCE, registerApi, SCOPE, tryApi } from './api-steps.mjs';
import { ensure, step } from './report.mjs';

const { BASE_URL, PORT } = process.env;

process.stdout.write(`${JSON.stringify({ version: packageVersion() })}\n`);

const api = await registerApi();
const behind = createServer((request, response) => response.end(request.headers['x-subject']));
behind.listen(0, '127.0.0.1');
await once(behind, 'listening');

const folder = mkdtempSync(join(tmpdir(), 'works-with-nginx-'));
copyFileSync('bearer.js', join(folder, 'bearer.js'));
writeFileSync(join(folder, 'nginx.conf'), configuration());
const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'], {
  stdio: ['ignore', 2, 2],
});
const ended = once(nginx, 'exit');
const base = `http://127.0.0.1:${PORT}`;
try {
  await Promise.race([listening(), ended.then(() => Promise.reject(new Error('nginx ended')))]);
  await tryApi(`${base}/orders`, api);
  await step('show that auth_request alone accepts every token', async () => {
    const response = await fetch(`${base}/unsafe`, { headers: { authorization: 'Bearer made-up' } });
    ensure(response.status === 200, `the status is ${response.status}`);
  });
} finally {
  nginx.kill('SIGQUIT');
  await ended;
  behind.closeAllConnections();
  behind.close();
  rmSync(folder, { recursive: true });
}

function configuration() {
  const credentials = Buffer.from(`${api.client_id}:${api.client_secret}`).toString('base64');
  const { host } = new URL(BASE_URL);
  const introspecting = `
      proxy_pass_request_headers off;
      proxy_set_header Host ${host};
      proxy_set_header Authorization 'Basic ${credentials}';
      proxy_set_header Content-Type application/x-www-form-urlencoded;
      proxy_set_header Connection '';
      proxy_http_version 1.1;
      proxy_pass http://introspection/token/introspect;`;
  return `
load_module /usr/lib/nginx/modules/ngx_http_js_module.so;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  js_import bearer from bearer.js;
  upstream introspection { server ${host}; keepalive 4; }
  server {
    listen 127.0.0.1:${PORT};
    location = /orders {
      set $required_scope ${SCOPE};
      set $audience ${AUDIENCE};
      set $subject '';
      set $challenge '';
      auth_request /_authorize;
      add_header WWW-Authenticate $challenge always;
      proxy_set_header X-Subject $subject;
      proxy_pass http://127.0.0.1:${behind.address().port};
    }
    location = /unsafe {
      auth_request /_straight;
      proxy_set_header X-Subject nobody;
      proxy_pass http://127.0.0.1:${behind.address().port};
    }
    location = /_authorize { internal; js_content bearer.authorize; }
    location = /_introspect { internal; ${introspecting} }
    location = /_straight { internal; proxy_method POST; proxy_set_body token=made-up; ${introspecting} }
  }
}
`;
}

async function listening() {
  for (let tries = 0; tries < 100; tries += 1) {
    const hasAnswered = await fetch(base).then(
      () => true,
      () => false,
    );
    if (hasAnswered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nginx does not answer');
}

/** The second column of dpkg-query's output. */
function packageVersion() {
  return execFileSync('dpkg-query', ['-W', 'libnginx-mod-http-js'], { encoding: 'utf8' })
    .trim()
    .split(/\s/)[1];
}
