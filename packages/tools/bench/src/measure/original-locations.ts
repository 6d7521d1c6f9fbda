import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A location in code as in V8 profiles; lines and columns start at 0. */
export interface Location {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** Maps locations to their source before compiling or bundling; locations without a source map stay. */
export function originalLocations(): (location: Location) => Location {
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string) => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  return (location) => {
    const map = location.url.startsWith('file:') ? mapOf(location.url) : undefined;
    const entry = map?.findEntry(location.lineNumber, location.columnNumber);
    if (entry === undefined || !('originalSource' in entry)) return location;
    const { originalSource, originalLine, originalColumn } = entry;
    const { href } = new URL(originalSource, location.url);
    return { url: href, lineNumber: originalLine, columnNumber: originalColumn };
  };
}

function readMap(url: string): SourceMap | undefined {
  const file = `${fileURLToPath(url)}.map`;
  return existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
