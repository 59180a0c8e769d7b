import type { OutputKind } from '../../../contract/pages/chartFigure.ts';
import type { GroupTexts } from '../charts/groupedSource.ts';
import type { TypeName } from './arrangedRows.ts';
import type { CellLocale } from './format/cellFormat.ts';
import type { KeyedArrangement } from './keyedArrangement.ts';

/** Receives the events of a view. */
export interface ViewListener {
  /** A different view is shown, or none. */
  gridChanged(): void;
  /** The view has more rows. */
  gridGrew(): void;
}

/** Localized texts for a view, supplied by the caller. */
export interface ViewTexts {
  typeName: TypeName;
  output: GroupTexts;
}

/** Options of a view. */
export interface ViewOptions {
  locale: CellLocale;
  words: ViewTexts;
  /** The view that the report asks for in addition to the table. */
  output: OutputKind | undefined;
  isTable: boolean;
  /** Lower-case keys of the columns whose values are passed to linked reports. */
  linked?: ReadonlySet<string>;
  /** Names of the linked reports. */
  linkedReports?: readonly string[];
  /** Arrangement of the previous run's rows, applied as soon as the columns are known. */
  arrangement?: KeyedArrangement;
}
