import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '@vestibule/http';
import { closers, freePort } from '@vestibule/local-services';
import { startNginx } from '@vestibule/local-services/testing';
import { onTestFinished } from 'vitest';

const GATEWAY = new URL('../../../../docker/gateway/', import.meta.url);

/** Configuration files of an nginx, by their names. */
export type NginxFiles = Readonly<Record<string, string>>;

/** Configures an nginx that listens on a port, in front of another one. */
export type ConfigureNginx = (port: number, upstreamPort: number) => Promise<NginxFiles>;

/** The gateway of the compose file, in which only addresses are replaced. */
export const composeGateway: ConfigureNginx = async (port, upstreamPort) => {
  const files = (await readdir(GATEWAY)).filter((name) => name.endsWith('.conf') && name !== 'operator.conf');
  const entries = files.map(async (name) => {
    const text = await readFile(new URL(name, GATEWAY), 'utf8');
    const local = text
      .replaceAll(/^resolver.*\n/gm, '')
      .replaceAll(/\bserver [\w.-]+:\d+(?: resolve)?/g, `server 127.0.0.1:${upstreamPort}`)
      .replace('listen 8080;', `listen 127.0.0.1:${port};`);
    return [name, local] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
};

/** What Debian's package and its `proxy_params` set, and nothing else: nginx buffers responses, and sends HTTP/1.0 requests. */
export const debianDefaults: ConfigureNginx = async (port, upstreamPort) => ({
  'nginx.conf': `
pid nginx.pid;
error_log stderr crit;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  gzip on;
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_set_header Host $host;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_pass http://127.0.0.1:${upstreamPort};
    }
  }
}
`,
});

/** Starts nginx in front of a service until the test ends. @returns its port */
export async function startNginxBefore(app: Server, configure: ConfigureNginx): Promise<number> {
  const toEnd = closers();
  onTestFinished(toEnd.closeAll);
  const folder = await mkdtemp(join(tmpdir(), 'vestibule-nginx-'));
  toEnd.add(() => rm(folder, { recursive: true, force: true }));
  // nginx workers run as another user.
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'run'));
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 });
  const port = await freePort();
  const files = await configure(port, (app.server.address() as AddressInfo).port);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await startNginx({ folder, port, toEnd });
  return port;
}
