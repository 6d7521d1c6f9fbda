import type { ClientsDeps } from './clients-deps.js';

/**
 * The same dependencies for one request, which checks a change before it is saved: what is read at a
 * `sector_identifier_uri` counts for both, so that it is requested once.
 */
export function readingSectorsOnce<Deps extends Pick<ClientsDeps, 'registration'>>(deps: Deps): Deps {
  const { sectorIdentifiers: source } = deps.registration;
  if (source === undefined) return deps;
  const documents = new Map<string, Promise<unknown>>();
  const read = (uri: string): Promise<unknown> => {
    const document = documents.get(uri) ?? source.read(uri);
    documents.set(uri, document);
    return document;
  };
  return { ...deps, registration: { ...deps.registration, sectorIdentifiers: { read } } };
}
