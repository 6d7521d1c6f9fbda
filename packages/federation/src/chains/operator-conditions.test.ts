import { describe, expect, it } from 'vitest';
import { anEntityId } from '../testing/entity-ids.js';
import { keysOf } from '../testing/test-entity.js';
import { aFederation, type ResolutionChanges } from '../testing/test-federation.js';
import { explainResolution } from './explain-resolution.js';

/** A relying party one level below one anchor and two levels below another one. */
function twoAnchors() {
  const federation = aFederation();
  const near = federation.entity('near.example');
  const far = federation.entity('far.example');
  const middle = federation.entity('middle.example', [far]);
  const low = federation.entity('low.example', [near, middle]);
  const { token, entity: leaf } = federation.relyingParty([low]);
  const verdict = async (rules: ResolutionChanges['rules'] = {}) => {
    const resolution = await federation.resolve(token, { rules, isExhaustive: true });
    const explanation = explainResolution(resolution);
    return explanation.trusted ? resolution.chosen?.anchor : explanation.reason;
  };
  return { ...federation, near, far, middle, low, leaf, token, verdict };
}

describe('conditions of single anchors', () => {
  it('replace the path length for all anchors, whether longer or shorter', async () => {
    const { near, far, verdict } = twoAnchors();
    const lengths = (own: Record<string, number>) =>
      new Map(Object.entries(own).map(([id, maxPathLength]) => [anEntityId(id), { maxPathLength }]));
    expect(await verdict({ maxPathLength: 2 })).toBe(near.id);
    expect(await verdict({ maxPathLength: 2, byAnchor: lengths({ [near.id]: 0 }) })).toBe(far.id);
    expect(await verdict({ maxPathLength: 0, byAnchor: lengths({ [far.id]: 2 }) })).toBe(far.id);
    expect(await verdict({ maxPathLength: 0, byAnchor: lengths({ [far.id]: 1 }) })).toBe('path_too_long');
    expect(await verdict({ maxPathLength: 9, byAnchor: lengths({ [near.id]: 0, [far.id]: 1 }) })).toBe(
      'path_too_long',
    );
  });

  it('let a path continue to another anchor beyond one that permits no intermediate', async () => {
    const { entity, relyingParty, resolve } = aFederation();
    const top = entity('top.example');
    const middle = entity('middle.example', [top]);
    const low = entity('low.example', [middle]);
    const { token } = relyingParty([low]);
    const { chosen } = await resolve(token, {
      rules: {
        anchors: new Map([top, middle].map((anchor) => [anchor.id, keysOf(anchor)])),
        maxPathLength: 2,
        byAnchor: new Map([[middle.id, { maxPathLength: 0 }]]),
      },
    });
    expect(chosen?.anchor).toBe(top.id);
  });

  it('require trust marks under that anchor only', async () => {
    const { near, far, verdict } = twoAnchors();
    const marked = { requiredMarks: [['https://marks.example/a']] };
    expect(await verdict({ byAnchor: new Map([[near.id, marked]]) })).toBe(far.id);
    expect(await verdict({ ...marked, byAnchor: new Map([[far.id, { requiredMarks: [] }]]) })).toBe(far.id);
    expect(await verdict(marked)).toBe('trust_mark');
  });
});

describe('the deny list', () => {
  it('refuses a chain that contains a denied entity in any position', async () => {
    const { near, far, middle, low, leaf, verdict } = twoAnchors();
    const without = (...denied: { id: typeof near.id }[]) =>
      verdict({ denied: new Set(denied.map(({ id }) => id)) });
    expect(await without(near)).toBe(far.id);
    expect(await without(near, middle)).toBe('denied');
    expect(await without(near, far)).toBe('denied');
    expect(await without(low)).toBe('denied');
    expect(await without(leaf)).toBe('denied');
  });

  it('fetches nothing from a denied superior', async () => {
    const { low, token, resolve, fetched } = twoAnchors();
    await resolve(token, { rules: { denied: new Set([low.id]) } });
    expect(fetched).toEqual([]);
  });
});
