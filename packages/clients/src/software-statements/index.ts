export { createSoftwareStatementVerifier } from './software-statement-verifier.js';
export { parseStatementIssuers, type StatementIssuers } from './statement-issuers.js';
