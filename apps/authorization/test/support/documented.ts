import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from '@vestibule/service-kit';
import { Check } from 'typebox/schema';
import { expect } from 'vitest';

/** Where the committed API document is. */
export const API_DOCUMENT_FILE = new URL('../../openapi.json', import.meta.url);

const document: OpenApiDocument = JSON.parse(readFileSync(API_DOCUMENT_FILE, 'utf8'));

/** An answer, and what it answers. */
export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Those that an application decides on, by names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface DocumentedHeader {
  readonly required: boolean;
  readonly schema: object;
}

interface DocumentedResponse {
  readonly headers: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/**
 * Expects that the API document knows an answer of the direct authorisation endpoint: its path, method, status, each of
 * its headers, and its body.
 */
export function expectDocumented(exchange: Exchange): void {
  const title = `${exchange.method} ${exchange.url} ${exchange.status}`;
  const path = documentedPath(exchange.url);
  if (path === undefined) return;
  const operation = document.paths[path]?.[exchange.method.toLowerCase()];
  if (operation === undefined) {
    expect({ status: exchange.status, body: exchange.body }, title).toEqual({ status: 405, body: '' });
    expect(exchange.headers, title).toHaveProperty('allow');
    return;
  }
  const responses = operation['responses'] as Readonly<Record<string, DocumentedResponse>>;
  const response = responses[String(exchange.status)];
  expect(response, `${title} is not documented`).toBeDefined();
  if (response === undefined) return;
  expectHeaders(exchange, response, title);
  expectBody(exchange, response, title);
}

function documentedPath(url: string): string | undefined {
  const [path = ''] = url.split('?', 1);
  if (['/direct-authz', '/direct-authz/revoke', '/direct-authz/sessions'].includes(path)) return path;
  return /^\/direct-authz\/sessions\/[^/]*$/.test(path) ? '/direct-authz/sessions/{sid}' : undefined;
}

function expectHeaders({ headers }: Exchange, documented: DocumentedResponse, title: string): void {
  const required = Object.entries(documented.headers).flatMap(([name, header]) =>
    header.required ? [name] : [],
  );
  expect(Object.keys(headers), title).toEqual(expect.arrayContaining(required));
  for (const [name, value] of Object.entries(headers).filter(([each]) => each !== 'content-type')) {
    const header = documented.headers[name];
    expect(header, `${title}: ${name} is not documented`).toBeDefined();
    expect(Check(header?.schema ?? {}, value), `${title}: ${name}`).toBe(true);
  }
}

function expectBody({ headers, body }: Exchange, { content }: DocumentedResponse, title: string): void {
  if (content === undefined) {
    expect({ body, type: headers['content-type'] }, title).toEqual({ body: '', type: undefined });
    return;
  }
  const [mediaType = ''] = String(headers['content-type']).split(';', 1);
  const schema = content[mediaType]?.schema;
  expect(schema, `${title}: ${mediaType} is not documented`).toBeDefined();
  expect(Check({ ...document, ...schema }, JSON.parse(body)), `${title}: ${body.slice(0, 2_000)}`).toBe(true);
}
