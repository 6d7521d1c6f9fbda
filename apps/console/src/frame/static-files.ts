import { createHash } from 'node:crypto';
import { type AddResource, route } from '@vestibule/http';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

/** Paths of the style sheet and the script. They contain a digest, so that browsers may keep the files for good. */
export const STYLE_PATH = pathOf(STYLE, 'css');
export const SCRIPT_PATH = pathOf(SCRIPT, 'js');

/** Adds the style sheet and the script. They are the only files that are served without a login. */
export function addStaticFiles(resource: AddResource): void {
  add(resource, STYLE_PATH, 'text/css; charset=utf-8', STYLE);
  add(resource, SCRIPT_PATH, 'text/javascript; charset=utf-8', SCRIPT);
}

function add(resource: AddResource, path: string, mediaType: string, text: string): void {
  resource(path, {
    GET: route({
      handler: (_request, reply) =>
        reply
          .header('content-type', mediaType)
          .header('x-content-type-options', 'nosniff')
          .header('cache-control', 'public, max-age=31536000, immutable')
          .send(text),
    }),
  });
}

function pathOf(text: string, extension: string): string {
  return `/console-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.${extension}`;
}
