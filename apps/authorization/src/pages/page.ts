import { type Markup, pageLook, pagePolicy, page as wholePage } from '@vestibule/service-kit/pages';

const LOOK = pageLook();

/**
 * What browsers may do with these pages: no script, no frame, nothing from elsewhere.
 * @param formTarget where a form may lead besides here
 */
export function contentSecurityPolicy(formTarget?: string): string {
  return pagePolicy({ look: LOOK, formTarget });
}

/** A whole page. */
export function page(title: string, content: Markup): string {
  return wholePage({ look: LOOK, title, content });
}
