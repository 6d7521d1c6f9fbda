import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const MODULES = '/usr/lib/apache2/modules';
const LOADED = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'include', 'mime', 'auth_openidc'];

/** A folder that the account of Apache can read. */
export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'works-with-apache-'));
  mkdirSync(join(folder, 'metadata'));
  for (const [name, mode] of Object.entries({ '': 0o755, metadata: 0o777 }))
    chmodSync(join(folder, name), mode);
  for (const place of ['secure', 'api']) {
    mkdirSync(join(folder, 'content', place), { recursive: true });
    writeFileSync(join(folder, 'content', place, 'index.shtml'), 'user=<!--#echo var="REMOTE_USER" -->.');
  }
  return folder;
}

/** Starts Apache with a separate configuration, with a virtual host on each port. */
export async function startApache(folder, hosts) {
  const file = join(folder, 'httpd.conf');
  const errors = join(folder, 'error.log');
  writeFileSync(file, configuration(folder, errors, hosts));
  const server = spawn('/usr/sbin/apache2', ['-f', file, '-DFOREGROUND'], { stdio: ['ignore', 2, 2] });
  await Promise.race([
    listening(hosts),
    once(server, 'exit').then(() => Promise.reject(new Error('Apache ended'))),
  ]);
  return {
    /** The end of the module's log. */
    problems: () =>
      readFileSync(errors, 'utf8')
        .split('\n')
        .filter((line) => line.includes(':error]'))
        .slice(-2),
    stop: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(folder, errors, hosts) {
  return [
    `ServerRoot ${folder}`,
    'ServerName 127.0.0.1',
    `PidFile ${join(folder, 'apache.pid')}`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${errors}`,
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...(process.getuid() === 0 ? ['User www-data', 'Group www-data'] : []),
    'TypesConfig /dev/null',
    'AddOutputFilter INCLUDES .shtml',
    'AddType text/html .shtml',
    ...Object.entries(hosts).flatMap(([port, lines]) => [
      `Listen 127.0.0.1:${port}`,
      `<VirtualHost 127.0.0.1:${port}>`,
      `DocumentRoot ${join(folder, 'content')}`,
      `<Directory ${join(folder, 'content')}>`,
      'Options +Includes',
      '</Directory>',
      ...lines,
      '</VirtualHost>',
    ]),
    '',
  ].join('\n');
}

async function listening(hosts) {
  for (const port of Object.keys(hosts))
    for (let tries = 0; ; tries += 1) {
      const answered = await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      );
      if (answered) break;
      if (tries > 100) throw new Error(`Apache does not answer on port ${port}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
}
