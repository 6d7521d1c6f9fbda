export { decodeStatement, MAX_STATEMENT_LENGTH } from './decode-statement.js';
export type {
  EntityConfigurationContent,
  Parsed,
  ParsedConfiguration,
  ParsedSubordinateStatement,
  StatedTrustMark,
  SubordinateStatementContent,
  TrustMarkOwner,
  UnverifiedStatement,
  Verified,
  VerifiedConfiguration,
  VerifiedSubordinateStatement,
} from './entity-statement.js';
export { parseConfiguration, parseSubordinateStatement } from './parse-statement.js';
export { readEndpoint } from './statement-claims.js';
export { requireAlive, verifyConfiguration, verifySubordinateStatement } from './verify-statement.js';
