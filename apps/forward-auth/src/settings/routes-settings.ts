import { readFileSync } from 'node:fs';
import type { SettingsProblem } from '@vestibule/service/settings';
import Type from 'typebox';
import { parseRoutesFile, type RoutesReading } from '../routing/parse-routes-file.js';
import type { RoutedResource } from '../routing/routed-resource.js';

const MAX_BYTES = 4_194_304;

/** Settings about resources and routes. */
export const ROUTES_SETTINGS = {
  ROUTES_FILE: Type.String({
    description: 'JSON file with the resources behind the gateway and their routes. It is read at start.',
    minLength: 1,
    maxLength: 4_096,
  }),
};

/** The parsed settings. */
export interface RoutesSettings {
  readonly ROUTES_FILE: string;
  readonly EGRESS_ALLOW_HOSTS: readonly string[];
}

/** Refuses a routes file with problems, naming each of them. For `loadSettings`. */
export function checkRoutesSettings(settings: RoutesSettings): readonly SettingsProblem[] {
  const reading = readRoutes(settings);
  if ('resources' in reading) return [];
  return reading.problems.map((problem) => ({ name: 'ROUTES_FILE', problem }));
}

/**
 * Reads the resources of the routes file.
 * @throws TypeError if the file has become invalid after the settings were checked
 */
export function routedResources(settings: RoutesSettings): readonly RoutedResource[] {
  const reading = readRoutes(settings);
  if ('resources' in reading) return reading.resources;
  throw new TypeError(`ROUTES_FILE: ${reading.problems.join('; ')}`);
}

function readRoutes({ ROUTES_FILE: path, EGRESS_ALLOW_HOSTS }: RoutesSettings): RoutesReading {
  const file = readText(path);
  return 'problem' in file ? { problems: [file.problem] } : parseRoutesFile(file.text, EGRESS_ALLOW_HOSTS);
}

function readText(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_BYTES) return { problem: `the file must have at most ${MAX_BYTES} bytes` };
    return { text: bytes.toString('utf8') };
  } catch {
    return { problem: 'the file cannot be read' };
  }
}
