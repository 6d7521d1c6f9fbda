import { misspeltSettings } from '@vestibule/service-kit/settings';
import { describe, expect, it } from 'vitest';
import { SERVICES } from './services.js';

const NAMES = Object.values(SERVICES).flatMap(({ schema }) => Object.keys(schema.properties));

describe('the settings of the services', () => {
  it.each(Object.entries(SERVICES))(
    'are so far apart that one environment for all makes %s warn about none of them',
    (_name, { schema }) => {
      const environment = Object.fromEntries(NAMES.map((name) => [name, 'x']));
      expect(misspeltSettings([schema], environment)).toEqual([]);
    },
  );
});
