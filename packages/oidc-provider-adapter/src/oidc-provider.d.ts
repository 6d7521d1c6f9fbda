// The part of node-oidc-provider that is used here and by servers that mount it; the package has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  export interface ProviderClient {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientUri?: string;
    readonly logoUri?: string;
    readonly policyUri?: string;
    readonly tosUri?: string;
    readonly clientAuthMethod: string;
    readonly applicationType: 'web' | 'native';
    readonly redirectUris: readonly string[];
    readonly subjectType: 'public' | 'pairwise';
    readonly sectorIdentifier: string;
    /** The keys derived from its secret. */
    readonly symmetricKeyStore: ProviderKeyStore;
    readonly [member: string]: unknown;
    grantTypeAllowed(grantType: string): boolean;
    redirectUriAllowed(uri: string): boolean;
  }

  export interface ProviderKeyStore {
    selectForVerify(options: KeyChoice): readonly object[];
    selectForDecrypt(options: KeyChoice): readonly object[];
  }

  interface KeyChoice {
    readonly alg?: string;
    readonly kid?: string;
  }

  export interface RequestedClaims {
    readonly userinfo?: Readonly<Record<string, unknown>>;
    readonly id_token?: Readonly<Record<string, unknown>>;
  }

  /** A code, a token or another entity with a lifetime. */
  export interface ProviderToken {
    readonly kind: string;
    readonly jti?: string;
    readonly clientId?: string;
    readonly accountId?: string;
    readonly grantId?: string;
    readonly sessionUid?: string;
    readonly sid?: string;
    readonly expiresWithSession?: boolean;
    readonly gty?: string;
    readonly scope?: string;
    readonly scopes: ReadonlySet<string>;
    readonly claims?: RequestedClaims;
    readonly client?: ProviderClient;
    readonly remainingTTL: number;
    /** The resources that it was granted for; one that is `undefined` if there is none. */
    readonly resourceIndicators: ReadonlySet<string | undefined>;
    aud?: string | undefined;
    setAudience(audience: string): void;
    totalLifetime(): number;
    isSenderConstrained(): boolean;
    save(...parameters: unknown[]): Promise<string>;
  }

  /** Codes or refresh tokens. */
  export interface ProviderTokenModel {
    find: (value: string, ...parameters: unknown[]) => Promise<ProviderToken | undefined>;
  }

  export interface ProviderIdToken {
    readonly ctx?: ProviderContext;
    set(claim: string, value: unknown): void;
    issue(options: { readonly use: string }, ...parameters: unknown[]): Promise<string>;
  }

  /** What a consent was given to. */
  export interface ShownClient {
    /** Digest of the names. */
    readonly names: string;
    /** The sites of the redirect URIs. */
    readonly sites: readonly string[];
  }

  export interface ProviderGrant {
    readonly jti?: string;
    readonly accountId?: string;
    /** Kept by servers that add it to `IN_PAYLOAD`. */
    shown?: ShownClient;
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: readonly string[]): void;
    addResourceScope(resource: string, scope: string): void;
    getOIDCClaims(): readonly string[];
    getOIDCClaimsFiltered(names: ReadonlySet<string>): readonly string[];
    save(): Promise<string>;
  }

  export interface ProviderSession {
    id: string;
    uid: string;
    readonly oldId?: string;
    accountId?: string;
    exp?: number;
    loginAccount(login: { readonly accountId: string; readonly amr?: readonly string[] }): void;
    ensureClientContainer(clientId: string): void;
    sidFor(clientId: string): string | undefined;
    grantIdFor(clientId: string, value?: string): string | undefined;
    /** The stored form. */
    getValueAndPayload(): Promise<{ readonly payload: object }>;
  }

  export interface ProviderInteraction {
    readonly uid: string;
    readonly prompt: {
      readonly name: string;
      readonly reasons: readonly string[];
      readonly details: Readonly<Record<string, unknown>>;
    };
    readonly params: Readonly<Record<string, unknown>>;
    readonly returnTo: string;
    readonly grantId?: string;
    session?: { readonly accountId: string; readonly uid?: string } | undefined;
    persist(): Promise<string>;
  }

  export interface ProviderContext {
    readonly req: IncomingMessage;
    readonly oidc: {
      readonly route: string;
      readonly issuer: string;
      /** The parameters that the endpoint knows; those without a value are `undefined`. */
      readonly params?: Record<string, unknown>;
      /** The form of a POST request. */
      readonly body?: Readonly<Record<string, unknown>>;
      readonly result?: { readonly login?: object; readonly consent?: { readonly grantId?: string } };
      /** The class of the login. */
      readonly acr: string | undefined;
      readonly session?: ProviderSession;
      readonly client?: ProviderClient;
      readonly claims?: RequestedClaims;
      readonly requestParamScopes: ReadonlySet<string>;
      readonly provider: Provider;
      readonly entities: Readonly<Record<string, unknown>> & {
        readonly AuthorizationCode?: ProviderToken;
        readonly RefreshToken?: ProviderToken;
        readonly RotatedRefreshToken?: ProviderToken;
        readonly AccessToken?: ProviderToken;
        readonly Grant?: ProviderGrant;
        readonly Client?: ProviderClient;
        readonly PushedAuthorizationRequest?: unknown;
      };
    };
    status: number;
    type: string;
    body: unknown;
    get(header: string): string;
    set(header: string, value: string): void;
    remove(header: string): void;
    vary(header: string): void;
  }

  /** A middleware of Koa. */
  type ProviderMiddleware = (ctx: ProviderContext, next: () => Promise<void>) => Promise<void>;

  interface KoaRequest {
    readonly [member: string]: unknown;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    static readonly ctx: ProviderContext | undefined;
    readonly issuer: string;
    readonly request: KoaRequest;
    silent: boolean;
    readonly middleware: readonly ProviderMiddleware[];
    compose(steps: readonly ProviderMiddleware[]): ProviderMiddleware;
    /** Adds a middleware around those of the library. */
    use(step: ProviderMiddleware): this;
    callback(): RequestListener;
    createContext(request: IncomingMessage, response: ServerResponse): ProviderContext;
    on(event: string, listener: (...parameters: never[]) => void): this;
    emit: (event: string | symbol, ...parameters: readonly unknown[]) => boolean;
    rawListeners(event: string | symbol): readonly ((...parameters: readonly unknown[]) => unknown)[];
    cookieName(type: 'session' | 'interaction' | 'resume'): string;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<ProviderInteraction>;
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { readonly mergeWithLastSubmission?: boolean },
    ): Promise<string>;
    readonly Client: {
      find: (id: string) => Promise<ProviderClient | undefined>;
      readonly prototype: { responseModeAllowed: (...parameters: readonly unknown[]) => boolean };
    };
    readonly Grant: {
      new (properties: { readonly accountId: string; readonly clientId: string }): ProviderGrant;
      find(id: string): Promise<ProviderGrant | undefined>;
      /** The stored members. */
      readonly IN_PAYLOAD: readonly string[];
    };
    readonly AccessToken: {
      new (properties: object): ProviderToken;
      readonly prototype: { save: ProviderToken['save'] };
    };
    readonly AuthorizationCode: ProviderTokenModel;
    readonly RefreshToken: ProviderTokenModel;
    readonly IdToken: { readonly prototype: { issue: ProviderIdToken['issue'] } };
    readonly Session: { new (): ProviderSession; get(context: ProviderContext): Promise<ProviderSession> };
  }

  class ProviderError extends Error {
    constructor(description?: string, detail?: string, options?: ErrorOptions);
    readonly error: string;
  }

  interface ProviderPrompt {
    readonly checks: { add(check: object): void };
    /** Stored with the interaction. */
    details: (ctx: ProviderContext) => Promise<object>;
  }

  /** When end-users are asked to log in and to consent. */
  export const interactionPolicy: {
    base(): { get(name: 'login' | 'consent'): ProviderPrompt | undefined };
    readonly Check: new (
      reason: string,
      description: string,
      check: (ctx: ProviderContext) => boolean,
    ) => object;
  };

  export const errors: {
    readonly CustomOIDCProviderError: new (code: string, description: string) => ProviderError;
    readonly InvalidClientAuth: new (detail: string) => ProviderError;
    readonly InvalidGrant: new (detail: string) => ProviderError;
    readonly InvalidRequest: new (description: string) => ProviderError;
    readonly InvalidRequestObject: new (description: string) => ProviderError;
    readonly InvalidRequestUri: new (description: string) => ProviderError;
    readonly InvalidScope: new (description: string, scope: string) => ProviderError;
    readonly InvalidToken: new (detail: string) => ProviderError;
    readonly InvalidTarget: new (description?: string) => ProviderError;
    readonly UnmetAuthenticationRequirements: new (description: string) => ProviderError;
    readonly SessionNotFound: new (description?: string) => ProviderError;
  };
}
