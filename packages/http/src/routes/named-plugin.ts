/** Fastify's property for the name of a plugin. */
const DISPLAY_NAME = Symbol.for('fastify.display-name');

/**
 * Names a plugin in Fastify's messages. To name one that has no name, Fastify searches all loaded modules for it, which
 * takes longer than registering it.
 */
export function namedPlugin<Plugin extends object>(name: string, plugin: Plugin): Plugin {
  return Object.assign(plugin, { [DISPLAY_NAME]: name });
}
