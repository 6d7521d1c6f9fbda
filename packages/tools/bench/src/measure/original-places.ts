import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where code runs, as profiles of V8 say; lines and columns from 0 on. */
export interface Place {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Tells where code was before it was compiled or bundled; what has no map beside it stays where it is. */
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
