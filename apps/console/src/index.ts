export { type BuiltConsole, build, buildConsole, type SharedParts } from './build.js';
export { CONSOLE_SCHEMAS, type ConsoleConfig, ConsoleSettings, loadConsoleConfig } from './config.js';
export {
  type SessionContent,
  type SessionCookie,
  type SessionCookieDeps,
  sessionCookie,
} from './login/session-cookie.js';
