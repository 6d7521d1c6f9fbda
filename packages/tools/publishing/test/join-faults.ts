import { generateKeyPairSync } from 'node:crypto';

/** A step of the page on joining a node-oidc-provider application, done wrong. */
export interface Fault {
  readonly wrong: string;
  /** Changes `server.js` of the page. */
  readonly server?: (text: string) => string;
  /** A command that changes the environment of the server. */
  readonly environment?: string;
  /** What the user reads: one sentence that names the setting and the remedy. */
  readonly says: RegExp;
}

/** A private key of a team. */
export const TEAM_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  format: 'jwk',
});

/** Encryption keys of another installation. */
export const OTHER_KEYS = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString(
  'base64url',
);

const inConfiguration = (members: string) => (text: string) =>
  text.replace('configuration: {', `configuration: {\n    ${members},`);
const inCookies = (members: string) => (text: string) => text.replace('cookies: {', `cookies: { ${members},`);
const inFeatures = (members: string) => (text: string) =>
  text.replace('features: {', `features: { ${members},`);
const inOptions = (members: string) => (text: string) =>
  text.replace('issuer: ISSUER,', `issuer: ISSUER,\n  ${members},`);

/** Faults with which the server of the team does not start. */
export const REFUSED_AT_START: readonly Fault[] = [
  {
    wrong: 'the clients are still in the configuration',
    server: inConfiguration(`clients: [{ client_id: 'shop', client_secret: 'shop-secret-of-the-page' }]`),
    says: /clients: must not be set.*`vestibule clients import FILE --from oidc-provider`/,
  },
  {
    wrong: 'the keys of the team are used on',
    server: inConfiguration(`jwks: { keys: [${JSON.stringify(TEAM_KEY)}] }`),
    says: /jwks: must not be set.*Remove it/,
  },
  {
    wrong: 'the adapter of the team is kept',
    server: inConfiguration('adapter: Map'),
    says: /adapter: must not be set.*Remove it/,
  },
  {
    wrong: 'both servers end sessions',
    server: inFeatures('rpInitiatedLogout: { enabled: true }'),
    says: /features\.rpInitiatedLogout: must not be enabled, .*two servers must not both end them\. Remove it\./,
  },
  {
    wrong: 'both servers introspect',
    server: inFeatures('introspection: { enabled: true }'),
    says: /features\.introspection: must not be enabled, .*\/token\/introspect\. Remove it\./,
  },
  {
    wrong: 'both servers register clients',
    server: inFeatures('registration: { enabled: true }'),
    says: /features\.registration: must not be enabled, .*\/clients\. Remove it\./,
  },
  {
    wrong: 'browsers do not send the session cookie to the logout page',
    server: inCookies(`long: { path: '/interaction' }`),
    says: /cookies\.long\.path: must cover \/logout, .*Remove it, or set it to "\/"\./,
  },
  {
    wrong: 'discovery names another registration endpoint',
    server: inConfiguration(`discovery: { registration_endpoint: 'http://localhost:1/reg' }`),
    says: /discovery\.registration_endpoint: must not be set to another value, .*\/clients is published\. Remove it\./,
  },
  {
    wrong: 'the logout page is where the provider authorizes',
    server: inOptions(`logoutPath: '/auth'`),
    says: /logoutPath: must not be \/auth, .*\(routes\.authorization\)\. Choose another one, here and in LOGOUT_PATH of the services\./,
  },
  {
    wrong: 'the encryption keys are those of another installation',
    environment: `export ENCRYPTION_KEYS=${OTHER_KEYS}`,
    says: /encryptionKeys: do not decrypt .* Set it to ENCRYPTION_KEYS of the services\./,
  },
  {
    wrong: 'the environment is not set',
    environment: 'unset ENCRYPTION_KEYS DATABASE_URL',
    says: /databaseUrl: must be a postgres:\/\/ URL\. Set it to DATABASE_URL of the services\.\n- encryptionKeys: .* Set it to ENCRYPTION_KEYS of the services\./,
  },
  {
    wrong: 'the database has an older version',
    environment: `export DATABASE_URL="\${DATABASE_URL/\\/vestibule//not_migrated}"`,
    says: /databaseUrl: the database has the schema of an older version .*`vestibule db migrate`/,
  },
  {
    wrong: 'the issuer of the provider is another one',
    server: (text) => text.replace('new Provider(ISSUER,', `new Provider('https://other.example',`),
    says: /issuer: is http:.*but the provider has the issuer https:\/\/other\.example/,
  },
  {
    wrong: 'the provider does not get the configuration of joinProvider',
    server: (text) => text.replace('new Provider(ISSUER, configuration)', 'new Provider(ISSUER, {})'),
    says: /createProvider: must create the provider with the configuration that it is given/,
  },
  {
    wrong: 'createProvider is asynchronous',
    server: (text) => text.replace('(configuration) => new', 'async (configuration) => new'),
    says: /createProvider: must return the Provider itself, and not a promise/,
  },
];

/** Faults of the server of the team that another process must agree with: it starts, and names the setting. */
export const WARNED_AT_START: readonly Fault[] = [
  {
    wrong: 'the session cookie has another name',
    server: inCookies(`names: { session: 'sso' }`),
    says: /looks for the session in the cookie _session, but the OpenID provider sets sso: set SESSION_COOKIE_NAME=sso for standalone/,
  },
  {
    wrong: 'the session cookie has a domain',
    server: inCookies(`long: { domain: 'as.example' }`),
    says: /cannot delete the session cookie .*: set SESSION_COOKIE_DOMAIN=as\.example for standalone/,
  },
  {
    wrong: 'the logout page is said to be elsewhere',
    server: inOptions(`logoutPath: '/session/end'`),
    says: /publishes the logout page at \/session\/end, but standalone serves it at \/logout: set LOGOUT_PATH=\/session\/end for standalone/,
  },
];

/** A line of `services.env` that is missing or wrong. */
export interface SettingFault {
  readonly wrong: string;
  readonly line: RegExp;
  readonly replacement: string;
  /** What the server of the team says; the services log a warning too. */
  readonly says: RegExp;
}

/** Faults of the settings of the services, which run, and which the server of the team names when it starts. */
export const SETTING_FAULTS: readonly SettingFault[] = [
  {
    wrong: 'SESSION_COOKIE_NAME is missing',
    line: /^SESSION_COOKIE_NAME=.*$/m,
    replacement: '',
    says: /looks for the session in the cookie vestibule_session, but the OpenID provider sets _session: set SESSION_COOKIE_NAME=_session for standalone/,
  },
  {
    wrong: 'BASE_URL is the address of the services',
    line: /^BASE_URL=.*$/m,
    replacement: 'BASE_URL=http://localhost:1234',
    says: /standalone runs with BASE_URL=http:\/\/localhost:1234, but the issuer of this provider is .*: set BASE_URL=/,
  },
  {
    wrong: 'OPENID_PROVIDER_ENABLED is missing',
    line: /^OPENID_PROVIDER_ENABLED=.*$/m,
    replacement: '',
    says: /standalone is an OpenID provider too.*: set OPENID_PROVIDER_ENABLED=false for standalone/,
  },
];

/** The paths that the gateway sends to the services: without its line, each reaches the server of the team. */
export const GATEWAY_PATHS = [
  { path: '/clients', service: 'registration' },
  { path: '/clients/shop', service: 'registration' },
  { path: '/token/introspect', service: 'introspection' },
  { path: '/logout', service: 'logout' },
];
