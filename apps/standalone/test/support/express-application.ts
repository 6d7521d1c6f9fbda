import { createServer } from 'node:http';
import express from 'express';
import openIdConnect from 'express-openid-connect';
import type { Members } from './api.js';

/** Options of an application. */
export interface ApplicationOptions {
  readonly port: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An application that logs in at the authorization server, and one browser's view of it. */
export interface ExpressApplication {
  /**
   * Starts a login.
   * @returns where the browser is redirected to
   */
  begin(): Promise<string>;
  /** Handles the callback of the authorization server. */
  finish(callback: URL): Promise<void>;
  /** The claims of the end-user in this browser; none without a login. */
  claims(): Promise<Members | undefined>;
  close(): Promise<void>;
}

/** A store of sessions that were logged out by the back channel. */
function memoryStore() {
  const entries = new Map<string, unknown>();
  return {
    get: (id: string, done: (error: unknown, value?: unknown) => void) => done(null, entries.get(id)),
    set: (id: string, value: unknown, done?: (error?: unknown) => void) => {
      entries.set(id, value);
      done?.();
    },
    destroy: (id: string, done?: (error?: unknown) => void) => {
      entries.delete(id);
      done?.();
    },
  };
}

/** Starts an application on `express-openid-connect`, with its handler for back-channel logout. */
export async function startExpressApplication(options: ApplicationOptions): Promise<ExpressApplication> {
  const baseURL = `http://127.0.0.1:${options.port}`;
  const app = express();
  app.use(
    openIdConnect.auth({
      issuerBaseURL: options.issuer,
      baseURL,
      clientID: options.clientId,
      clientSecret: options.clientSecret,
      secret: 'the-secret-of-the-cookie-of-the-application',
      authRequired: false,
      authorizationParams: { response_type: 'code', response_mode: 'query', scope: 'openid' },
      // Its declared type requires more of a store than it uses.
      backchannelLogout: { store: memoryStore() as never },
    }),
  );
  app.get('/', (request, response) => {
    response.json(request.oidc.isAuthenticated() ? request.oidc.idTokenClaims : null);
  });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  const cookies = new Map<string, string>();
  const go = async (address: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    begin: async () => (await go(`${baseURL}/login`)).headers.get('location') ?? '',
    finish: async (callback) => {
      const { status } = await go(callback.href);
      if (status !== 302) throw new Error(`the application did not log in: ${status}`);
    },
    claims: async () => {
      const claims: Members | null = JSON.parse(await (await go(`${baseURL}/`)).text());
      return claims ?? undefined;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
