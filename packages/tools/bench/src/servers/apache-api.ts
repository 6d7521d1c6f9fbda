import { join } from 'node:path';
import { API_PATH, SUBJECT_HEADER, type TokenRequirements } from './api-configuration.js';
import { BODY_FILE, type RunningWebServer, startWebServer } from './web-server.js';

/** An API of Apache, as a static file. */
export interface ApacheApi {
  readonly requirements: TokenRequirements;
  /** The metadata of the authorization server: the module takes an http address of an endpoint only from there. */
  readonly metadataUrl: string;
  readonly body: string;
  /** The command prefix that runs it on a separate core. */
  readonly prefix: readonly string[];
}

const MODULES = '/usr/lib/apache2/modules';
const PROGRAM = '/usr/sbin/apache2';

/** Apache with mod_auth_openidc, as Debian packages them. */
export const APACHE_FILES = [PROGRAM, `${MODULES}/mod_auth_openidc.so`] as const;

const LOADED = ['mpm_event', 'authn_core', 'authz_core', 'alias', 'headers', 'auth_openidc'];
/** More than connections: Apache closes connections if no thread is free. */
const THREADS = 192;

/** Starts Apache as a single process with mod_auth_openidc as an OAuth 2.0 resource server. */
export function startApacheApi(api: ApacheApi): Promise<RunningWebServer> {
  return startWebServer({
    name: 'apache',
    body: api.body,
    files: (folder, port) => ({ 'httpd.conf': configurationOf(api, folder, port) }),
    command: (folder) => [PROGRAM, '-f', join(folder, 'httpd.conf'), '-X'],
    prefix: api.prefix,
  });
}

/** By default the module caches a response until the token expires. */
function configurationOf({ requirements, metadataUrl }: ApacheApi, folder: string, port: number): string {
  const { clientId, clientSecret, audience, scope } = requirements;
  return [
    `ServerRoot ${folder}`,
    'ServerName 127.0.0.1',
    `Listen 127.0.0.1:${port}`,
    `PidFile ${join(folder, 'apache.pid')}`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${join(folder, 'error.log')}`,
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    'ServerLimit 1',
    'StartServers 1',
    `ThreadLimit ${THREADS}`,
    `ThreadsPerChild ${THREADS}`,
    `MaxRequestWorkers ${THREADS}`,
    // A connection must last as long as the load.
    'MaxKeepAliveRequests 0',
    'KeepAliveTimeout 60',
    `Alias ${API_PATH} ${join(folder, BODY_FILE)}`,
    `OIDCOAuthServerMetadataURL ${metadataUrl}`,
    `OIDCOAuthClientID ${clientId}`,
    `OIDCOAuthClientSecret ${clientSecret}`,
    `<Location ${API_PATH}>`,
    'AuthType oauth20',
    '<RequireAll>',
    `Require claim aud:${audience}`,
    `Require claim "scope~(^| )${scope}( |$)"`,
    '</RequireAll>',
    'ForceType application/json',
    // The tag of a file is two bytes longer, a weak one, in the second after it was written.
    'FileETag None',
    `Header set ${SUBJECT_HEADER} "expr=%{REMOTE_USER}"`,
    '</Location>',
    '',
  ].join('\n');
}
