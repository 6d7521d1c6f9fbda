import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in code as in V8 profiles; lines and columns start at 0. */
export interface Place {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Maps places to their source before compiling or bundling; places without a source map stay. */
export function originalPlaces(): (place: Place) => Place {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string) => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return (place) => {
    const map = place.url.startsWith('file:') ? mapOf(place.url) : undefined;
    const entry = map?.findEntry(place.lineNumber, place.columnNumber);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const { originalSource, originalLine, originalColumn } = entry;
    const { href } = new URL(originalSource, place.url);
    return { url: href, lineNumber: originalLine, columnNumber: originalColumn };
  };
}

function readMap(url: string): SourceMap | undefined {
  const file = `${fileURLToPath(url)}.map`;
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
