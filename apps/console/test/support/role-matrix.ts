import type { Role } from '../../src/frame/operator.js';

/** The role that each page requires, by its path. Written down here, not read from the pages. */
export const PAGE_ROLES: Readonly<Record<string, Role>> = {
  '/': 'viewer',
  '/clients': 'viewer',
  '/clients/-/blocks': 'viewer',
  '/clients/-/register': 'operator',
  '/clients/:id': 'viewer',
  '/clients/:id/history': 'viewer',
  '/clients/:id/edit': 'operator',
  '/clients/:id/reject': 'operator',
  '/clients/:id/delete': 'admin',
  '/clients/:id/rotate-secret': 'operator',
  '/clients/:id/rotate-registration-token': 'admin',
  '/clients/:id/revoke-tokens': 'admin',
  '/initial-tokens': 'viewer',
  '/initial-tokens/issue': 'operator',
  '/initial-tokens/:id': 'viewer',
  '/initial-tokens/:id/revoke': 'operator',
  '/token': 'viewer',
  '/token/revoke-client': 'admin',
  '/end-users': 'viewer',
  '/end-users/session': 'viewer',
  '/end-users/session/end': 'operator',
  '/end-users/session/revoke': 'operator',
  '/end-users/deliveries': 'viewer',
  '/end-users/end-sessions': 'admin',
  '/end-users/revoke': 'admin',
  '/federation': 'viewer',
  '/federation/deny': 'admin',
  '/federation/allow': 'admin',
  '/audit': 'viewer',
  '/audit/events/:id': 'viewer',
  '/keys': 'viewer',
  '/keys/new': 'admin',
  '/keys/:id': 'viewer',
  '/keys/:id/activate': 'admin',
  '/keys/:id/retire': 'admin',
  '/session': 'viewer',
};

/** An action with the role that it requires. */
export interface MatrixAction {
  /** What it does, as the README calls it. */
  readonly name: string;
  readonly path: string;
  readonly role: Role;
  /** Whether it is confirmed by typing. */
  readonly isTyped: boolean;
  /** Whether what the form contains requires this role, or what is typed, beside another row of the action. */
  readonly isByContent?: true;
}

const action = (name: string, path: string, role: Role): MatrixAction => ({
  name,
  path,
  role,
  isTyped: false,
});
const typed = (name: string, path: string, role: Role): MatrixAction => ({ name, path, role, isTyped: true });
const byContent = (row: MatrixAction): MatrixAction => ({ ...row, isByContent: true });

const CHOSEN = 'register a client with a chosen identifier or secret';
const PASTED = 'revoke a token that is an initial access token with elevated rights';

/** Every action, in the order of the README. Written down here, not read from the actions. */
export const ACTION_MATRIX: readonly MatrixAction[] = [
  action('approve a client', '/clients/:id/approve', 'operator'),
  action('suspend a client', '/clients/:id/suspend', 'operator'),
  action('resume a client', '/clients/:id/resume', 'operator'),
  typed('reject a client', '/clients/:id/reject', 'operator'),
  typed('delete a client', '/clients/:id/delete', 'admin'),
  action('register a client', '/clients/-/register', 'operator'),
  byContent(action(CHOSEN, '/clients/-/register', 'admin')),
  action('edit a client', '/clients/:id/edit', 'operator'),
  byContent(typed('edit a client so that its secret ends', '/clients/:id/edit', 'operator')),
  typed('rotate the secret of a client', '/clients/:id/rotate-secret', 'operator'),
  typed(
    'rotate the registration access token of a client',
    '/clients/:id/rotate-registration-token',
    'admin',
  ),
  typed('revoke every token of a client', '/clients/:id/revoke-tokens', 'admin'),
  action('issue an initial access token', '/initial-tokens/issue', 'operator'),
  byContent(action('issue an initial access token with elevated rights', '/initial-tokens/issue', 'admin')),
  typed('revoke an initial access token', '/initial-tokens/:id/revoke', 'operator'),
  byContent(
    typed('revoke an initial access token with elevated rights', '/initial-tokens/:id/revoke', 'admin'),
  ),
  action('explain a token', '/token', 'viewer'),
  typed('revoke a token', '/token/revoke', 'operator'),
  byContent(typed(PASTED, '/token/revoke', 'admin')),
  typed('revoke everything of the client of a token', '/token/revoke-client', 'admin'),
  typed('end a session', '/end-users/session/end', 'operator'),
  typed('revoke every token of a session', '/end-users/session/revoke', 'operator'),
  action('deliver a notification again', '/end-users/deliveries/redeliver', 'operator'),
  typed('end every session of an end-user', '/end-users/end-sessions', 'admin'),
  typed('revoke everything of an end-user', '/end-users/revoke', 'admin'),
  action('explain a federation entity', '/federation/explain', 'viewer'),
  action('discard cached statements', '/federation/purge', 'operator'),
  typed('deny a federation entity', '/federation/deny', 'admin'),
  typed('allow a federation entity', '/federation/allow', 'admin'),
  action('verify the chain of audit events', '/audit/verify', 'viewer'),
  action('export audit events', '/audit/export', 'operator'),
  typed('create a key', '/keys/new', 'admin'),
  typed('activate a key', '/keys/:id/activate', 'admin'),
  typed('retire a key', '/keys/:id/retire', 'admin'),
];
