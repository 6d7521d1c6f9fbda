import { html, type Markup } from '@vestibule/http/pages';
import { Type } from 'typebox';
import type { ConsoleDeps } from '../../deps.js';
import { type ConsoleRoute, consolePage } from '../../frame/console-route.js';
import { joined, section, valueList } from '../../frame/parts.js';
import { type LiveFigureName, type LiveFigures, liveFigures } from '../../live/live-figures.js';
import { LIVE_PATH } from '../../live/live-route.js';
import { readAttention } from './attention.js';
import { attentionSection } from './attention-section.js';
import { spanSection } from './span-section.js';

/** The overview: what needs a person, what happens now, and what happened in the last hour and day. */
export function overviewPages({
  store,
  overview,
}: Pick<ConsoleDeps, 'store' | 'overview'>): readonly ConsoleRoute[] {
  return [
    consolePage({
      path: '/',
      query: Type.Object({}),
      show: async () => {
        const [attention, live, hour, day] = await Promise.all([
          readAttention(store, overview),
          liveFigures(overview),
          overview.span('hour'),
          overview.span('day'),
        ]);
        return {
          title: 'Overview',
          content: joined(
            attentionSection(attention),
            nowSection(live),
            spanSection('hour', hour),
            spanSection('day', day),
          ),
        };
      },
    }),
  ];
}

/** The live figures with their titles, in their order. */
const LIVE_TITLES: readonly (readonly [LiveFigureName, string])[] = [
  ['registered', 'Registrations in the last hour'],
  ['introspections', 'Introspections'],
  ['ended-sessions', 'Logouts in the last hour'],
  ['pending-clients', 'Clients that wait for approval'],
  ['waiting-deliveries', 'Logout notifications that wait for delivery'],
  ['dead-deliveries', 'Logout notifications that were given up'],
];

/** The figures that the script of the page updates. */
function nowSection(figures: LiveFigures): Markup {
  const values = LIVE_TITLES.map(([name, title]) => [
    title,
    html`<span data-figure="${name}">${figures[name]}</span>`,
  ]);
  return section('Now', html`<div data-live="${LIVE_PATH}">${valueList(Object.fromEntries(values))}</div>`);
}
