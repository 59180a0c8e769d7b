import type { Handlers } from '../calls/handlers.ts';
import { createAppBuilderHandlers } from './appBuilderHandlers.ts';
import { createApplicationHandlers, type CatalogueParts } from './applicationHandlers.ts';

/** Handlers of applications, registered servers and report types. */
export function createCatalogueHandlers(parts: CatalogueParts): Handlers {
  return { ...createApplicationHandlers(parts), ...createAppBuilderHandlers(parts) };
}
