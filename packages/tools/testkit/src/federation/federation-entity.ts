import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Clock, nowSeconds } from '@vestibule/protocol';
import { JWT_TYP, MEDIA_TYPE } from '@vestibule/protocol/constants';
import type { JsonObject, JsonValue } from '@vestibule/protocol/json';
import { type ResponseFault, sendDocument } from './entity-responses.js';
import {
  changed,
  createEntityKey,
  type EntityKey,
  type MemberChanges,
  type StatementChanges,
  signStatement,
} from './sign-statement.js';

/** The behaviour of an entity; it may be changed while the entity runs. */
export interface EntityBehavior {
  /** Changes of its entity configuration. */
  configuration: StatementChanges;
  /** Changes of its subordinate statements, by identifier. */
  readonly subordinates: Map<string, StatementChanges>;
  /** A fault in place of its entity configuration. */
  configurationFault?: ResponseFault | undefined;
  /** A fault in place of its fetch endpoint's response. */
  fetchFault?: ResponseFault | undefined;
  /** Replaces its entity configuration. */
  configurationText?: string;
  /** Its entity configuration is not sent before this is fulfilled. */
  silentUntil?: Promise<void>;
}

/** A further document of an entity. */
export interface EntityDocument {
  readonly contentType: string;
  /** The content; computed from the body of the request where it has one. */
  readonly text: (body: string) => Promise<string>;
  readonly fault?: ResponseFault;
}

/** A federation entity with a server on a loopback address. */
export interface FederationEntity {
  readonly id: string;
  /** `host:port` of the server. */
  readonly host: string;
  readonly key: EntityKey;
  readonly jwks: JsonObject;
  readonly behaviour: EntityBehavior;
  /** Further documents, by path. */
  readonly documents: Map<string, EntityDocument>;
  /** The requested paths, in order. */
  readonly requestedPaths: string[];
  /** Metadata by entity type, as in the configuration. */
  readonly metadata: Record<string, JsonObject>;
  /** Further claims of the configuration. */
  readonly claims: Record<string, JsonValue>;
  /** Its authority hints. */
  readonly hints: string[];
  /** Its trust marks. */
  readonly marks: { readonly trust_mark_type: string; readonly trust_mark: string }[];
  /**
   * Makes an entity a subordinate of this one, with these claims in its statement; the entity gets an authority hint.
   */
  vouchFor(subordinate: FederationEntity, claims?: MemberChanges): void;
  /** Its entity configuration. */
  signConfiguration(changes?: StatementChanges): Promise<string>;
  /** Its statement about a subordinate. */
  signSubordinate(subject: string, changes?: StatementChanges): Promise<string>;
  /** Issues a trust mark, or a delegation to issue trust marks. */
  signMark(kind: 'mark' | 'delegation', claims: JsonObject, changes?: StatementChanges): Promise<string>;
  /** Signs any other JWT; `iss` and times are set by the claims only. */
  signOther(typ: string, claims: JsonObject, changes?: StatementChanges): Promise<string>;
  close(): Promise<void>;
}

const LIFETIME_SECONDS = 3_600;
const FETCH_PATH = '/fetch';
const CONFIGURATION_PATH = '/.well-known/openid-federation';

/** Starts an entity without subordinates. */
export async function startEntity(clock: Clock): Promise<FederationEntity> {
  const key = await createEntityKey();
  const listener = await listen();
  const { host } = listener;
  const id = `http://${host}`;
  const vouched = new Map<string, JsonObject>();
  const now = () => nowSeconds(clock);
  const times = () => ({ iat: now(), exp: now() + LIFETIME_SECONDS });
  const sign = (typ: string, claims: JsonObject, changes?: StatementChanges) =>
    signStatement(key, typ, { iss: id, ...times(), ...claims }, changes);
  const entity: FederationEntity = {
    id,
    host,
    key,
    jwks: { keys: [key.publicJwk] },
    behaviour: { configuration: {}, subordinates: new Map() },
    documents: new Map(),
    requestedPaths: [],
    metadata: { federation_entity: { federation_fetch_endpoint: `${id}${FETCH_PATH}` } },
    claims: {},
    hints: [],
    marks: [],
    vouchFor: (subordinate, claims) => {
      vouched.set(subordinate.id, changed({ jwks: subordinate.jwks }, claims));
      if (!subordinate.hints.includes(id)) subordinate.hints.push(id);
    },
    signConfiguration: async (changes) => sign(JWT_TYP.entityStatement, ownClaims(entity), changes),
    signSubordinate: (subject, changes) =>
      sign(JWT_TYP.entityStatement, { sub: subject, ...vouched.get(subject) }, changes),
    signMark: (kind, claims, changes) =>
      sign(kind === 'mark' ? JWT_TYP.trustMark : JWT_TYP.trustMarkDelegation, claims, changes),
    signOther: (typ, claims, changes) => signStatement(key, typ, claims, changes),
    close: listener.close,
  };
  listener.handleWith((request, response) => handle(entity, vouched, { request, response }));
  return entity;
}

function ownClaims({ id, jwks, hints, metadata, marks, claims }: FederationEntity): JsonObject {
  return {
    sub: id,
    jwks,
    metadata,
    ...(hints.length > 0 && { authority_hints: hints }),
    ...(marks.length > 0 && { trust_marks: marks }),
    ...claims,
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function handle(
  entity: FederationEntity,
  vouched: ReadonlyMap<string, JsonObject>,
  { request, response }: Exchange,
): Promise<void> {
  const { behaviour } = entity;
  const url = new URL(request.url ?? '/', entity.id);
  entity.requestedPaths.push(url.pathname + url.search);
  const contentType = MEDIA_TYPE.entityStatementJwt;
  if (url.pathname === CONFIGURATION_PATH) {
    await behaviour.silentUntil;
    const text = behaviour.configurationText ?? (await entity.signConfiguration(behaviour.configuration));
    sendDocument(response, { contentType, text }, behaviour.configurationFault);
    return;
  }
  const document = entity.documents.get(url.pathname);
  if (document !== undefined) {
    const text = await document.text(await bodyOf(request));
    sendDocument(response, { contentType: document.contentType, text }, document.fault);
    return;
  }
  const subject = url.searchParams.get('sub') ?? '';
  if (url.pathname !== FETCH_PATH || !vouched.has(subject)) {
    sendDocument(response, { contentType, text: '' }, 'not_found');
    return;
  }
  const text = await entity.signSubordinate(subject, behaviour.subordinates.get(subject));
  sendDocument(response, { contentType, text }, behaviour.fetchFault);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function listen() {
  let handler: RequestHandler = async (_request, response) => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('the server does not listen');
  return {
    host: `127.0.0.1:${address.port}`,
    handleWith: (next: RequestHandler) => {
      handler = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
