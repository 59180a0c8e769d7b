import type { OutputKind } from '../../../contract/pages/chartFigure.ts';
import type { CellLocale } from './format/cellFormat.ts';
import type { KeyedArrangement } from './resultView.ts';
import type { GroupWords } from '../charts/groupedSource.ts';
import type { TypeName } from './shownView.ts';

/** What a screen tells. */
export interface ScreenListener {
  /** Another view is shown, or none. */
  gridChanged(): void;
  /** The view has more rows. */
  gridGrew(): void;
}

/** Words of what a screen shows, translated by whoever shows it. */
export interface ScreenWords {
  typeName: TypeName;
  output: GroupWords;
}

/** How a screen shows its result. */
export interface ScreenOptions {
  locale: CellLocale;
  words: ScreenWords;
  /** What the report asks to be shown as besides as a table. */
  output: OutputKind | undefined;
  isTable: boolean;
  /** Keys, in small letters, of the columns whose values are handed to linked reports. */
  linked?: ReadonlySet<string>;
  /** How the rows of the run before were arranged: these are arranged so as soon as their columns are known. */
  arrangement?: KeyedArrangement;
}
