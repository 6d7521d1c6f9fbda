import { JsonError, type JsonValue, parseJson } from '@vestibule/protocol/json';
import { parseServerUrl, serverUrlProblem } from '@vestibule/service/settings';
import { Value } from 'typebox/value';
import { defaultPortOf, hostKeys, parseHostName } from './host-name.js';
import { metadataConflicts } from './metadata-conflicts.js';
import { parsePathPattern } from './path-pattern.js';
import { methodSet } from './request-method.js';
import type { ResourceRoute, RoutedResource } from './routed-resource.js';
import { type ResourceEntry, type RouteEntry, RoutesFile } from './routes-file.js';
import { routesFileProblems } from './routes-file-problems.js';
import { unreachableRoutes } from './unreachable-routes.js';

/** The resources of a routes file, or everything that is wrong with it. */
export type RoutesReading =
  | { readonly resources: readonly RoutedResource[] }
  | { readonly problems: readonly string[] };

const LIMITS = { maxDepth: 6, maxMembers: 100_000 };

/**
 * Parses a routes file.
 * @param allowHosts hosts, with or without port, whose resources may be on http
 */
export function parseRoutesFile(text: string, allowHosts: readonly string[]): RoutesReading {
  const json = readJson(text);
  if ('problem' in json) return { problems: [json.problem] };
  const { value } = json;
  if (!Value.Check(RoutesFile, value)) return { problems: routesFileProblems(value) };
  const found: string[] = [];
  const resources = value.resources.map((entry, index) => {
    const place = `resources[${index}]`;
    found.push(...entryProblems(entry, allowHosts).map((problem) => `${place}.${problem}`));
    return routedResource(entry);
  });
  const problems = found.length > 0 ? found : conflicts(resources);
  return problems.length > 0 ? { problems } : { resources };
}

function conflicts(resources: readonly RoutedResource[]): readonly string[] {
  const identifiers = resources.map(({ identifier }) => identifier);
  return [...metadataConflicts(identifiers), ...unreachableRoutes(resources)];
}

function readJson(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  try {
    return { value: parseJson(text, LIMITS) };
  } catch (error) {
    // The message names a rule and quotes nothing.
    if (error instanceof JsonError) return { problem: error.message };
    throw error;
  }
}

function entryProblems(entry: ResourceEntry, allowHosts: readonly string[]): readonly string[] {
  const { identifier, base_url: baseUrl, hosts = [], audience, audience_checked: isChecked = true } = entry;
  return [
    ...urlProblems('identifier', identifier, allowHosts),
    ...(baseUrl === undefined ? [] : urlProblems('base_url', baseUrl, allowHosts)),
    ...hosts.flatMap((host, index) =>
      parseHostName(host) === undefined ? [`hosts[${index}]: must be a host or host:port`] : [],
    ),
    ...(audience !== undefined && !isChecked
      ? ['audience: has no meaning together with "audience_checked": false']
      : []),
    ...entry.routes.flatMap((route, index) =>
      routeProblems(route).map((problem) => `routes[${index}].${problem}`),
    ),
  ];
}

function urlProblems(member: string, text: string, allowHosts: readonly string[]): readonly string[] {
  const url = parseServerUrl(text);
  const problem =
    url === undefined
      ? 'must be an https URL without user name and fragment'
      : serverUrlProblem(url, allowHosts);
  return problem === undefined ? [] : [`${member}: ${problem}`];
}

function routeProblems({ path, access, scope }: RouteEntry): readonly string[] {
  return [
    ...(parsePathPattern(path) === undefined
      ? ['path: must be a path, or a path that ends in /*, which every server reads in the same way']
      : []),
    ...(access === undefined && scope === undefined
      ? ['scope: is missing; set "access": "public" for a route without token']
      : []),
    ...(access !== undefined && scope !== undefined ? ['scope: has no meaning on a public route'] : []),
  ];
}

/** Every value that has a problem gets a stand-in: it is not used. */
function routedResource(entry: ResourceEntry): RoutedResource {
  const { identifier, audience = [identifier], audience_checked: isChecked = true } = entry;
  const url = parseServerUrl(identifier);
  const hosts = entry.hosts ?? (url === undefined ? [] : [url.host]);
  return {
    identifier,
    hosts: hosts.flatMap((host) => {
      const name = parseHostName(host);
      return name === undefined || url === undefined ? [] : hostKeys(name, defaultPortOf(url));
    }),
    audience: isChecked ? audience : 'unchecked',
    baseUrl: entry.base_url,
    isDpopRequired: entry.dpop === 'required',
    name: entry.name,
    documentation: entry.documentation,
    routes: entry.routes.flatMap(resourceRoute),
  };
}

function resourceRoute({ path, methods, access, scope = '' }: RouteEntry): readonly ResourceRoute[] {
  const pattern = parsePathPattern(path);
  if (pattern === undefined) return [];
  const requirement = access ?? { scope };
  return [{ pattern, methods: methods && methodSet(methods), requirement }];
}
