import { randomBytes } from 'node:crypto';

/** Stands for your table of sessions. */
const sessions = new Map();
const COOKIE = 'session';
const ATTRIBUTES = { httpOnly: true, sameSite: 'lax', secure: false, path: '/' }; // secure: true with https

const cookieOf = (req) => new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(req.get('cookie'))?.[1];

export const findSession = (req) => sessions.get(cookieOf(req));

export async function openSession(res, sub) {
  const value = randomBytes(32).toString('base64url');
  sessions.set(value, {
    sub,
    sid: randomBytes(16).toString('base64url'),
    authTime: Math.floor(Date.now() / 1000),
  });
  res.cookie(COOKIE, value, ATTRIBUTES);
}

/** The `sid` of a client that logs in; undefined if the session has ended. */
export const enterSession = async (session, clientId) => session.sid;

export async function endSession(req, res) {
  sessions.delete(cookieOf(req));
  res.clearCookie(COOKIE, ATTRIBUTES);
}
