import type { Figures } from './figures.js';
import { prometheusFigures } from './prometheus-figures.js';
import { type RegistryFiguresDeps, registryFigures } from './registry-figures.js';

/** Where figures can come from. */
export interface FiguresSources {
  /** `CONSOLE_PROMETHEUS_URL` */
  readonly prometheusUrl?: URL | undefined;
  /** The registry of an introspection service in this process, and what reading it needs. */
  readonly own?: RegistryFiguresDeps | undefined;
}

/** Figures, and the end of collecting them. */
export interface OpenFigures {
  /** Absent without a source. */
  readonly figures?: Figures;
  stop(): void;
}

/** Opens the best source of figures: Prometheus, which knows every process, or else the registry of this process. */
export function openFigures({ prometheusUrl, own }: FiguresSources): OpenFigures {
  if (prometheusUrl !== undefined)
    return { figures: prometheusFigures({ url: prometheusUrl }), stop: () => undefined };
  if (own === undefined) return { stop: () => undefined };
  const figures = registryFigures(own);
  return { figures, stop: figures.stop };
}
