import { misspeltSettings } from '@vestibule/service/settings';
import { describe, expect, it } from 'vitest';
import { SERVICES } from './services.js';

const NAMES = Object.values(SERVICES).flatMap(({ schema }) => Object.keys(schema.properties));

describe('the settings of the services', () => {
  it.each(Object.entries(SERVICES))(
    'are different enough that a shared environment causes no warnings in %s',
    (_name, { schema }) => {
      const environment = Object.fromEntries(NAMES.map((name) => [name, 'x']));
      expect(misspeltSettings([schema], environment)).toEqual([]);
    },
  );
});
