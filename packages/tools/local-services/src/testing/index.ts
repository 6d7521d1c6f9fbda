export { type DatabaseTemplate, type LentDatabase, lendDatabase } from './database-copies.js';
export { foreignSql, type Sql } from './foreign-sql.js';
export { runSql } from './kept-connections.js';
export { type NginxOptions, startNginx } from './nginx-process.js';
export { type OlderServer, olderServer } from './older-server.js';
export { type ServerCertificate, selfSignedCertificate } from './self-signed-certificate.js';
export type { TestServices } from './test-services.js';
export { startTlsWebsite, type TlsWebsite } from './tls-website.js';
