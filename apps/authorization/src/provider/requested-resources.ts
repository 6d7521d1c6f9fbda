import { declaredScope } from '@vestibule/clients/resource-servers';
import { errors, type ProviderContext } from 'oidc-provider';
import { findResource, MAX_RESOURCES, type ResourceDeps } from '../find-resource.js';

/** A resource that a request names. */
export interface RequestedResource {
  /** The audience of tokens for it; the issuer stands for any resource server. */
  readonly audience: string;
  /** The scope values that it declares. */
  readonly declared: ReadonlySet<string>;
}

/** One of the resources that a request names or that its grant is for. */
export interface OneOfResources {
  readonly resource: RequestedResource;
  /** The scope values that it and the other ones declare. */
  readonly declaredByAll: readonly string[];
}

/**
 * Finds the resource that the library asks for, and those beside it in the request or its grant. Each is looked up once
 * in a request.
 * @param indicator of a request object, it may have any type of JSON
 * @throws InvalidTarget if the resource is unknown, or there are too many. Unknown ones beside it are left out.
 */
export async function requestedResource(
  deps: ResourceDeps,
  ctx: ProviderContext,
  indicator: unknown,
): Promise<OneOfResources> {
  if (typeof indicator !== 'string') throw new errors.InvalidTarget('each resource must be a string');
  const requested = requestedNames(ctx);
  const names = new Set([indicator, ...requested, ...grantedNames(ctx)]);
  // Repeated ones count too, because the library asks for each.
  if (requested.length > MAX_RESOURCES || names.size > MAX_RESOURCES)
    throw new errors.InvalidTarget(`at most ${MAX_RESOURCES} resources in a request`);
  const resource = await lookUp(deps, ctx, indicator);
  if (resource === undefined) throw unknownResource(indicator);
  const declaredByAll: string[] = [];
  for (const name of names) declaredByAll.push(...((await lookUp(deps, ctx, name))?.declared ?? []));
  return { resource, declaredByAll };
}

/** The names in the parameter `resource` (RFC 8707 section 2). */
export function requestedNames({ oidc: { params } }: ProviderContext): readonly string[] {
  return [params?.['resource']].flat().filter((name) => typeof name === 'string');
}

/** The error for a resource that is not registered. Its description names it. */
function unknownResource(name: string): Error {
  return new errors.InvalidTarget(`the resource ${shownResource(name)} is not a registered resource server`);
}

/** Maximum length of a resource in an error description, in characters. */
const MAX_SHOWN_LENGTH = 200;

/** A resource in the characters that a description may have (RFC 6749 section 5.2), without spaces. */
export function shownResource(name: string): string {
  const text = name.replace(/[^\x21\x23-\x5b\x5d-\x7e]/g, '?');
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}...` : text;
}

/** The resources of the code or refresh token of a token request. */
function grantedNames({ oidc: { entities } }: ProviderContext): readonly string[] {
  const source = entities.AuthorizationCode ?? entities.RefreshToken;
  return source === undefined ? [] : [...source.resourceIndicators].filter((name) => name !== undefined);
}

const lookUps = new WeakMap<ProviderContext, Map<string, Promise<RequestedResource | undefined>>>();

function lookUp(
  deps: ResourceDeps,
  ctx: ProviderContext,
  name: string,
): Promise<RequestedResource | undefined> {
  const ofRequest = lookUps.get(ctx) ?? new Map<string, Promise<RequestedResource | undefined>>();
  lookUps.set(ctx, ofRequest);
  const present = ofRequest.get(name) ?? find(deps, name);
  ofRequest.set(name, present);
  return present;
}

async function find(deps: ResourceDeps, name: string): Promise<RequestedResource | undefined> {
  if (name === deps.issuer) return { audience: name, declared: new Set() };
  const resource = await findResource(deps, name);
  return resource && { audience: resource.audience, declared: declaredScope(resource.client.metadata) };
}
